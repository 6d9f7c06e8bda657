import type { Words } from '../index.ts'

export const nav: Words['nav'] = {
  home: 'الرئيسية',
  numbers: 'الأرقام',
  queue: 'قائمة الانتظار',
  inbox: 'الوارد',
  messages: 'الرسائل',
  campaigns: 'الحملات',
  reminders: 'التذكيرات',
  codes: 'رموز التحقق',
  contacts: 'جهات الاتصال',
  webhook: 'الويب هوك',
  keys: 'المفاتيح',
  assistants: 'المساعدون',
  connections: 'اتصالات الذكاء الاصطناعي',
  team: 'الفريق',
  activity: 'النشاط',
  limits: 'الحدود',
  organization: 'المؤسسة',
  billing: 'الفوترة',
  admin: 'إدارة المنصة',
  profile: 'حسابك',
  phone: 'الهاتف',
}

export const groups: Words['groups'] = {
  start: 'البداية',
  talk: 'المراسلة',
  develop: 'التطوير',
  organization: 'المؤسسة',
  platform: 'المنصة',
  simulator: 'شبكة المحاكاة',
}

export const roles: Words['roles'] = { owner: 'مالك', admin: 'مدير', member: 'عضو' }

export const shell: Words['shell'] = {
  brand: 'Msgctl',
  menu: 'القائمة',
  find: 'ابحث عن صفحة أو رسالة أو جهة اتصال',
  live: 'مباشر',
  reconnecting: 'إعادة الاتصال',
  paused: 'متوقف مؤقتًا',
  unread: (n) => `${n} غير مقروءة`,
  down: (n) => `${n} لا تعمل`,
  notEncrypted: 'هذا الاتصال غير مشفّر. افتح لوحة التحكم عبر https.',
  unknownPage: 'لا توجد صفحة كهذه',
  unknownPageHint: 'قد يكون العنوان قديمًا.',
  account: 'الحساب والإعدادات',
  signOut: 'تسجيل الخروج',
  language: 'اللغة',
  theme: 'المظهر',
  themes: { system: 'حسب النظام', light: 'فاتح', dark: 'داكن' },
  shortcuts: 'لوحة المفاتيح',
  documentation: 'مرجع الواجهة البرمجية',
  skip: 'انتقل إلى المحتوى',
  organizations: 'المؤسسات',
  productMissing: 'منتجاتك لا تشمل هذا',
  productMissingHint: 'يستطيع مشغّل هذه الخدمة إضافة منتج إلى مؤسستك.',
}

export const find: Words['find'] = {
  title: 'بحث',
  pages: 'الصفحات',
  messages: 'الرسائل',
  contacts: 'جهات الاتصال',
  campaigns: 'الحملات',
  numbers: 'الأرقام',
  nothing: 'لا نتائج.',
  hint: 'ابتداءً من ثلاثة أحرف يشمل البحث الرسائل وجهات الاتصال والحملات والأرقام.',
}

export const keyboard: Words['keyboard'] = {
  title: 'لوحة المفاتيح',
  find: 'بحث',
  help: 'عرض هذه المفاتيح',
  goTo: (page) => `الانتقال إلى ${page}`,
  singleKeys: 'مفاتيح بدون Ctrl',
  singleKeysHint: 'أوقفها إذا كنت تستخدم الإدخال الصوتي.',
}
