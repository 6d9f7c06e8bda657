import type { Words } from '../index.ts'
import { number, plural } from '../plural.ts'

export const numbers: Words['numbers'] = {
  add: 'إضافة رقم',
  used: (used, max) =>
    max === null
      ? plural(used, { one: 'رقم واحد', two: 'رقمان', few: '# أرقام', other: '# رقمًا' })
      : `${number(used)} من ${number(max)}`,
  sendGroup: 'مجموعة الإرسال',
  name: 'الاسم',
  namePlaceholder: 'الدعم',
  addAndLink: 'إضافة وربط',
  number: 'الرقم',
  state: 'الحالة',
  linkedAs: 'مرتبط باسم',
  waiting: 'في الانتظار',
  isDefault: 'افتراضي',
  neverLinked: 'لم يُربط قط',
  link: 'ربط',
  empty: 'أضف رقمك الأول',
  emptyHint: 'الرقم هو رقم هاتف يرسل ويستقبل. اربطه بهاتف عبر رمز QR.',
  choose: 'اختر رقمًا لترى حاله.',
}

export const numberDetail: Words['numberDetail'] = {
  linkIt: 'اربطه',
  start: 'تشغيل',
  reconnect: 'إعادة الاتصال',
  stop: 'إيقاف',
  makeDefault: 'اجعله الافتراضي',
  rename: 'إعادة تسمية',
  logOut: 'فك ربط الهاتف',
  remove: 'حذف',
  connectedFor: 'متصل منذ',
  lastHealthy: 'آخر تأكيد',
  reconnections: 'محاولات إعادة الاتصال',
  ofQuick: (tried, quick) => `${tried} من ${quick}`,
  wentDown: 'تعطّل',
  wentDownTimes: (down, back) =>
    down === 0
      ? 'لم يتعطّل'
      : `${plural(down, { one: 'مرة واحدة', two: 'مرتين', few: '# مرات', other: '# مرة' })}، أعادته الخدمة ` +
        `${number(back)}`,
  queue: 'قائمة الانتظار',
  queueWaits: 'تنتظر',
  queueLeaves: 'تغادر',
  engine: 'المشغّل',
  id: 'المعرّف',
  last24h: 'آخر 24 ساعة حسب الحالة',
  history: 'ما حدث',
  noHistory: 'لم يحدث شيء بعد.',
  sources: { network: 'من الشبكة', user: 'من شخص', supervisor: 'من الخدمة' },
  heldTitle: (n) =>
    plural(n, { one: 'رسالة واحدة محجوزة', two: 'رسالتان محجوزتان', few: '# رسائل محجوزة', other: '# رسالة محجوزة' }),
  heldHint: 'رُبط هاتف آخر بهذا الرقم، أو استُعيدت الخدمة من نسخة احتياطية. قرّر مصير الرسائل التي تنتظر.',
  heldSend: 'أرسلها',
  heldDiscard: 'تجاهلها',
  discardTitle: 'تجاهل الرسائل المحجوزة؟',
  discardHint: 'تفشل بالرمز DISCARDED. لا يمكن التراجع عن ذلك.',
  removeTitle: (label) => `حذف ${label}؟`,
  removeHint: 'يُفك ربط الهاتف، وتنتقل الرسائل المنتظرة إلى مجموعة الإرسال أو تفشل.',
  logOutTitle: (label) => `فك ربط ${label}؟`,
  logOutHint: 'لا يستطيع الرقم الإرسال حتى يُربط من جديد. تنتظره الرسائل.',
  guard: 'الحماية من الحظر',
  guardHint: 'ما يجوز للرقم إرساله بحسب عمره.',
  newConversations: 'محادثات جديدة، 24 ساعة',
  lastHour: 'الرسائل، الساعة الأخيرة',
  lastDay: 'الرسائل، 24 ساعة',
  ofAllowed: (used, allowed) => `${used} من ${allowed}`,
  noLimit: (used) => `${used}، بلا حد`,
  daysLinked: 'مرتبط منذ',
  days: (n) => plural(n, { one: 'يوم واحد', two: 'يومين', few: '# أيام', other: '# يومًا' }),
  heldByRules: 'محجوزة بهذه القواعد',
  profile: 'الملف الشخصي',
  profileHint: 'ما يراه الآخرون في تطبيق المحادثة.',
  profileName: 'الاسم',
  profileAbout: 'نبذة',
  profilePicture: 'رابط صورة جديدة',
  profileSave: 'حفظ الملف',
  key: 'مفتاح هذا الرقم',
  keyHint: 'مفتاح يرسل عبر هذا الرقم فقط.',
  keyMake: 'إنشاء مفتاح',
  keyReplace: 'استبدال المفتاح',
}

export const linking: Words['linking'] = {
  title: (label) => `ربط ${label}`,
  step1: 'افتح تطبيق المحادثة على الهاتف الذي تريد استخدام رقمه.',
  step2: 'افتح الإعدادات، ثم الأجهزة المرتبطة، ثم ربط جهاز.',
  step3: 'وجّه الهاتف نحو هذا الرمز.',
  qrAlt: 'رمز QR لمسحه بالهاتف',
  getting: 'جارٍ جلب الرمز',
  newIn: (seconds) => `يأتي رمز جديد بعد ${seconds} ث`,
  noCamera: 'لا كاميرا؟ اربط برمز.',
  phone: 'رقم الهاتف',
  getCode: 'احصل على رمز',
  codeHint: 'اكتب هذا الرمز على الهاتف.',
  linked: 'تم الربط. يستطيع الرقم الإرسال.',
  linkedToast: (label) => `${label} مرتبط ويستطيع الإرسال.`,
  tryAgain: 'عرض رمز جديد',
}

export const sendGroup: Words['sendGroup'] = {
  title: 'مجموعة الإرسال',
  intro: 'أرقام ينوب بعضها عن بعض عندما لا تحدد الرسالة رقمًا.',
  enabled: 'استخدام المجموعة للرسائل التي ليس لها رقم خاص',
  mode: 'الوضع',
  modes: { backup: 'احتياطي: يرسل الرقم التالي عند تعطّل الافتراضي', share: 'مشاركة: توزّع الرسائل على الجميع' },
  sticky: 'تحتفظ جهة الاتصال بالرقم نفسه',
  members: 'الأرقام بترتيبها',
  up: (label) => `نقل ${label} إلى الأعلى`,
  include: (label) => `تضمين ${label}`,
}
