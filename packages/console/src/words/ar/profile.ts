import type { Words } from '../index.ts'
import { plural } from '../plural.ts'

export const profile: Words['profile'] = {
  sessions: 'أين سجّلت الدخول',
  thisOne: 'هذا المتصفح',
  lastUsed: 'آخر استخدام',
  end: 'تسجيل الخروج',
  endAll: 'تسجيل الخروج من كل مكان آخر',
  ended: (n) =>
    plural(n, {
      zero: 'لم تكن هناك جلسات أخرى.',
      one: 'انتهت جلسة واحدة.',
      two: 'انتهت جلستان.',
      few: 'انتهت # جلسات.',
      other: 'انتهت # جلسة.',
    }),
  unknownClient: 'برنامج غير معروف',
  aiClients: 'عملاء ذكاء اصطناعي يعملون نيابة عنك',
  aiClientsHint: (organization) =>
    `من سمحت لهم لدى ${organization}. تسجيل الخروج من كل مكان آخر ينهي اتصالهم في كل مؤسساتك.`,
  password: 'كلمة المرور',
  currentPassword: 'كلمة المرور الحالية',
  newPassword: 'كلمة المرور الجديدة',
  changePassword: 'تغيير كلمة المرور',
  passwordChanged: 'تغيّرت كلمة المرور. انتهت الجلسات الأخرى واتصالات عملاء الذكاء الاصطناعي.',
  twoFactor: 'تسجيل الدخول بخطوتين',
  twoFactorOff: 'رمز من تطبيق مصادقة إلى جانب كلمة المرور.',
  twoFactorOn: (codes) =>
    plural(codes, {
      zero: 'مفعّل. لم تبقَ رموز استرداد.',
      one: 'مفعّل. بقي رمز استرداد واحد.',
      two: 'مفعّل. بقي رمزا استرداد.',
      few: 'مفعّل. بقيت # رموز استرداد.',
      other: 'مفعّل. بقي # رمز استرداد.',
    }),
  requiredBy: (names) => `تتطلبه ${names}.`,
  setUp: 'إعداده',
  scan: 'امسح هذا الرمز بتطبيق المصادقة، ثم أدخل الأرقام الستة التي يعرضها.',
  secret: 'أو اكتب السر',
  code: 'الرمز',
  turnOn: 'تفعيل',
  turnOff: 'إيقاف',
  newCodes: 'رموز استرداد جديدة',
  codesTitle: 'رموز الاسترداد',
  codesHint: 'يعمل كل منها مرة واحدة إذا فُقد تطبيق المصادقة. احفظها الآن؛ لن تُعرض مرة أخرى.',
  qrAlt: 'رمز QR لتطبيق المصادقة',
  verify: 'تأكيد بريدك الإلكتروني',
}
