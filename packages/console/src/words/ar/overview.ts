import type { Words } from '../index.ts'
import { number, plural } from '../plural.ts'

export const home: Words['home'] = {
  send: 'إرسال رسالة',
  needsYou: 'يحتاج إليك',
  waitingFor: (n) =>
    n === 0
      ? 'لا رسائل تنتظره.'
      : plural(n, {
          one: 'رسالة واحدة تنتظره.',
          two: 'رسالتان تنتظرانه.',
          few: '# رسائل تنتظره.',
          other: '# رسالة تنتظره.',
        }),
  numberState: (label, state) => `${label}: ${state}`,
  held: (label) => `${label}: قائمة الانتظار محجوزة`,
  heldWhy: (n) =>
    plural(n, {
      one: 'رُبط هاتف آخر أو استُعيدت الخدمة. رسالة واحدة تنتظر قرارك.',
      other: 'رُبط هاتف آخر أو استُعيدت الخدمة. # رسالة تنتظر قرارك.',
    }),
  restrictedWhy: (until) => `تحدّ الشبكة مما يجوز له إرساله حتى ${until}.`,
  droppedTitle: (n) =>
    plural(n, {
      one: 'حدث واحد لم يصل إلى الويب هوك',
      two: 'حدثان لم يصلا إلى الويب هوك',
      few: '# أحداث لم تصل إلى الويب هوك',
      other: '# حدثًا لم تصل إلى الويب هوك',
    }),
  droppedWhy: 'رفض المستقبِل خمس محاولات خلال آخر 24 ساعة.',
  startError: (name) => `لم تبدأ ${name}`,
  trialEnds: (day) => `تنتهي الفترة التجريبية في ${day}`,
  trialUsed: (used, limit) => `استُخدمت ${number(used)} من ${number(limit)} رسالة اليوم.`,
  link: 'اربطه',
  seeWhy: 'اعرف السبب',
  release: 'قرّر',
  sendAgain: 'أعد إرسالها',
  open: 'فتح',
  now: 'الآن',
  waiting: 'في الانتظار',
  waitingHint: (n) => plural(n, { one: 'على رقم واحد', two: 'على رقمين', few: 'على # أرقام', other: 'على # رقمًا' }),
  onTheirWay: 'في الطريق',
  onTheirWayHint: 'قيد الكتابة أو الإرسال',
  sent24h: 'أُرسلت خلال 24 ساعة',
  deliveredShare: (percent) => `وصل ${percent}`,
  noneYet: 'لا شيء بعد',
  failed24h: 'فشلت خلال 24 ساعة',
  why: 'اعرف السبب',
  unread: 'غير مقروءة',
  reply: 'افتح الوارد',
  last24h: 'آخر 24 ساعة',
  chartLabel: 'رسائل آخر 24 ساعة حسب الساعة والحالة',
  noMessages: 'لا رسائل خلال آخر 24 ساعة.',
  numbers: 'الأرقام',
  noNumbers: 'لا أرقام بعد',
  noNumbersHint: 'أضف رقمًا واربطه بهاتف.',
  addNumber: 'إضافة رقم',
  campaigns: 'الحملات الجارية',
  progress: (done, total) => `${done} من ${total}`,
  recent: 'أحدث الرسائل',
}

export const sendBox: Words['sendBox'] = {
  title: 'إرسال رسالة',
  to: 'إلى',
  toHint: 'رقم دولي، مثل \u2066+1 202 555 0100\u2069.',
  text: 'النص',
  from: 'من',
  byDefault: 'الرقم الافتراضي',
  high: 'أرسلها قبل كل شيء، بدون مؤشر الكتابة',
  send: 'إرسال',
  queued: 'الرسالة في قائمة الانتظار.',
}

export const firstRun: Words['firstRun'] = {
  title: 'أرسل رسالتك الأولى',
  skip: 'إلى لوحة المتابعة',
  steps: 'الخطوات الأولى',
  number: 'رقم يستطيع الإرسال',
  numberDone: (label) => `${label} مرتبط.`,
  numberAdd: 'أضف رقمًا ثم امسح رمزه.',
  write: 'اكتب إلى آنا، وهي جهة اتصال في شبكة المحاكاة',
  writeHint: 'يُظهر الرقم أنه يكتب، ثم تغادر الرسالة.',
  sample: 'مرحبا آنا، طاولتك جاهزة.',
  watch: 'شاهد وصولها',
  watchHint: 'على الهاتف بجانب هذه القائمة، وهنا.',
  everyStep: 'كل خطوة منها',
  reply: 'ردّ من الهاتف',
  replyHint: 'اكتب على الهاتف. يظهر الرد في الوارد، ويستقبله الويب هوك كحدث.',
  openInbox: 'افتح الوارد',
  code: 'افعل الشيء نفسه من برنامجك',
  codeLabel: 'مثال لطلب',
  makeKey: 'إنشاء مفتاح',
  reference: 'مرجع الواجهة البرمجية',
  writeReal: 'اكتب إلى رقم لك',
}
