import type { Words } from '../index.ts'
import { number, plural } from '../plural.ts'

export const codes: Words['codes'] = {
  intro: 'رموز يرسلها برنامجك ثم يتحقق منها.',
  send: 'جرّبها',
  sendHint: 'أرسل رمزًا إلى هاتف وتحقق منه كما يفعل برنامجك.',
  phone: 'الهاتف',
  length: 'عدد الأرقام',
  sendButton: 'إرسال رمز',
  sentTo: (phone, minutes) => `أُرسل رمز إلى ${phone}. يعمل لمدة ${number(minutes)} دقائق.`,
  code: 'الرمز من الهاتف',
  verify: 'تحقق',
  verified: 'كان الرمز صحيحًا.',
  again: 'إرسال آخر',
  recent: 'أحدث الرموز',
  noRecent: 'لم تُرسل رموز بعد.',
  byDay: 'حسب اليوم',
  spans: { '7': '7 أيام', '31': '31 يومًا' },
  span: 'كم يومًا',
  daysOf: (sent) =>
    plural(sent, {
      zero: 'لم تُرسل رموز',
      one: 'أُرسل رمز واحد',
      two: 'أُرسل رمزان',
      few: 'أُرسلت # رموز',
      other: 'أُرسل # رمزًا',
    }),
  ofSent: (share) => `تم التحقق من ${share}`,
  allCodes: 'كل الرموز',
  limits: 'الحدود',
  perPhone: 'يستلم الهاتف الواحد رمزًا واحدًا على الأكثر خلال 30 ث، و3 خلال 10 دقائق، و10 في اليوم.',
}
