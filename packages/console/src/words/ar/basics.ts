import type { Words } from '../index.ts'
import { plural } from '../plural.ts'

export const ui: Words['ui'] = {
  cancel: 'إلغاء',
  close: 'إغلاق',
  copied: 'نُسخ',
  copy: 'نسخ',
  copyThis: (text) => `نسخ ${text}`,
  loading: 'جارٍ التحميل',
  next: 'الصفحة التالية',
  optional: '(اختياري)',
  pages: 'الصفحات',
  previous: 'الصفحة السابقة',
  range: (from, to, total) => `${from} إلى ${to} من ${total}`,
  remove: 'حذف',
  retry: 'حاول مرة أخرى',
  save: 'حفظ',
  saved: 'تم الحفظ.',
  search: 'بحث',
  time: 'الوقت',
  typeToConfirm: (text) => `اكتب ${text} للتأكيد`,
  all: 'الكل',
  none: 'لا شيء',
  edit: 'تعديل',
  details: 'التفاصيل',
  actions: 'الإجراءات',
  backTo: (name) => `العودة إلى ${name}`,
}

export const failure: Words['failure'] = {
  offline: 'تعذّر الوصول إلى الخدمة. تحقق من الاتصال؛ تتابع الصفحة من تلقاء نفسها.',
  unexpected: 'حدث خطأ ما.',
  request: 'الطلب',
  forbidden: 'لا يسمح دورك بذلك.',
}

export const time: Words['time'] = {
  today: 'اليوم',
  yesterday: 'أمس',
  milliseconds: (n) => `${n} م.ث`,
  seconds: (n) => `${n} ث`,
  minutes: (n) => `${n} د`,
  hours: (hours, minutes) => `${hours} س ${minutes} د`,
  days: (n) => `${n} يوم`,
  inSpan: (span) => `بعد ${span}`,
}

export const status: Words['status'] = {
  queued: 'في الانتظار',
  sending: 'قيد الإرسال',
  sent: 'أُرسلت',
  delivered: 'وصلت',
  read: 'قُرئت',
  failed: 'فشلت',
  held: 'محجوزة',
  pending: 'معلّق',
  dropped: 'أُسقط',
  draft: 'مسودة',
  scheduled: 'مجدول',
  processing: 'قيد المعالجة',
  paused: 'متوقف مؤقتًا',
  completed: 'مكتمل',
  done: 'تم',
  cancelled: 'أُلغي',
  WORKING: 'يعمل',
  SCAN_QR_CODE: 'يحتاج إلى ربط',
  STARTING: 'يبدأ',
  STOPPED: 'متوقف',
  FAILED: 'معطّل',
  UNREACHABLE: 'المضيف غير متاح',
}

export const count: Words['count'] = {
  messages: (n) =>
    plural(n, {
      zero: 'لا رسائل',
      one: 'رسالة واحدة',
      two: 'رسالتان',
      few: '# رسائل',
      many: '# رسالة',
      other: '# رسالة',
    }),
  recipients: (n) =>
    plural(n, {
      zero: 'لا مستلمين',
      one: 'مستلم واحد',
      two: 'مستلمان',
      few: '# مستلمين',
      many: '# مستلمًا',
      other: '# مستلم',
    }),
  contacts: (n) => plural(n, { one: 'جهة اتصال واحدة', two: 'جهتا اتصال', few: '# جهات اتصال', other: '# جهة اتصال' }),
  numbers: (n) => plural(n, { one: 'رقم واحد', two: 'رقمان', few: '# أرقام', other: '# رقمًا' }),
  events: (n) => plural(n, { one: 'حدث واحد', two: 'حدثان', few: '# أحداث', other: '# حدثًا' }),
  lines: (n) => plural(n, { one: 'سطر واحد', two: 'سطران', few: '# أسطر', other: '# سطرًا' }),
  attempts: (n) => plural(n, { one: 'محاولة واحدة', two: 'محاولتان', few: '# محاولات', other: '# محاولة' }),
  sessions: (n) => plural(n, { one: 'جلسة واحدة', two: 'جلستان', few: '# جلسات', other: '# جلسة' }),
}
