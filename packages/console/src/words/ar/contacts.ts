import type { Words } from '../index.ts'
import { number, plural } from '../plural.ts'

export const contacts: Words['contacts'] = {
  search: 'اسم أو رقم',
  empty: 'لا جهات اتصال بعد. تظهر مع أول رسالة.',
  count: (n) =>
    plural(n, {
      zero: 'لا جهات اتصال',
      one: 'جهة اتصال واحدة',
      two: 'جهتا اتصال',
      few: '# جهات اتصال',
      other: '# جهة اتصال',
    }),
  sync: 'قراءة دليل الهاتف',
  synced: (n) => plural(n, { other: 'قُرئت # جهة اتصال.' }),
  importing: 'جارٍ استيراد السجل.',
  name: 'الاسم',
  number: 'الرقم',
  source: 'دليل الهاتف',
  saved: 'محفوظة',
  campaigns: 'الحملات',
  receives: 'تستلمها',
  optedOut: 'رفضتها',
  optOut: 'استبعاد',
  which: 'أي جهات اتصال',
  views: { '': 'الكل', 'opted-out': 'رفضوا' },
  noOptOuts: 'لم يرفض أحد.',
  addOptOuts: 'إضافة قائمة',
  optOutsHint: (max) => `رقم في كل سطر، حتى ${number(max)}. لا يستلمون حملات بعد ذلك.`,
  optOutsAdded: (now, before) => `رُفض الآن ${number(now)}، وسبق أن رفض ${number(before)}.`,
  optIn: 'السماح من جديد',
  none: 'لا جهات اتصال مطابقة.',
  hidden: 'رقم مخفي',
  words: 'كلمات الرفض',
  wordsHint: 'جهة الاتصال التي ترد بإحدى هذه الكلمات لا تستلم حملات بعد ذلك. افصل بينها بفواصل.',
  wordsSave: 'حفظ الكلمات',
  wordsLabel: 'الكلمات',
}
