import type { Words } from '../index.ts'

export const activityPage: Words['activityPage'] = {
  intro: 'من غيّر ماذا، لمدة 400 يوم.',
  at: 'متى',
  actor: 'من',
  action: 'ماذا',
  details: 'التفاصيل',
  none: 'لا تغييرات مطابقة.',
  filter: 'جزء من المؤسسة',
  areas: {
    '': 'كل شيء',
    number: 'الأرقام',
    account_key: 'مفتاح الحساب',
    number_key: 'مفاتيح الأرقام',
    webhook: 'الويب هوك',
    member: 'الفريق',
    organization: 'المؤسسة',
    session: 'تسجيلات الدخول',
  },
  actors: {
    user: 'شخص',
    account_key: 'مفتاح الحساب',
    number_key: 'مفتاح رقم',
    ai_client: 'عميل ذكاء اصطناعي',
    assistant: 'مساعد',
    operator: 'مشغّل الخدمة',
  },
  more: 'عرض تغييرات أقدم',
  from: (ip) => `من ${ip}`,
}
