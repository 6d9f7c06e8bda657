import { plural } from '../plural.ts'

export const profile = {
  sessions: 'Where you are signed in',
  thisOne: 'this browser',
  lastUsed: 'Last used',
  end: 'Sign out',
  endAll: 'Sign out everywhere else',
  ended: (n: number) =>
    plural(n, { zero: 'There were no others.', one: '# session ended.', other: '# sessions ended.' }),
  unknownClient: 'Unknown program',
  aiClients: 'AI clients that act for you',
  aiClientsHint: (organization: string) =>
    `Those that you allowed for ${organization}. Signing out everywhere else ends them in all your organizations.`,
  password: 'Password',
  currentPassword: 'Present password',
  newPassword: 'New password',
  changePassword: 'Change the password',
  passwordChanged: 'The password is changed. Other sessions and AI connections have ended.',
  twoFactor: 'Two-step sign-in',
  twoFactorOff: 'A code of an authenticator app besides the password.',
  twoFactorOn: (codes: number) =>
    plural(codes, { one: 'On. # recovery code is left.', other: 'On. # recovery codes are left.' }),
  requiredBy: (names: string) => `Required by ${names}.`,
  setUp: 'Set it up',
  scan: 'Scan this code with your authenticator app, then enter the 6 digits that it shows.',
  secret: 'Or type the secret',
  code: 'Code',
  turnOn: 'Turn it on',
  turnOff: 'Turn it off',
  newCodes: 'New recovery codes',
  codesTitle: 'Your recovery codes',
  codesHint: 'Each works once, for the case that the authenticator is lost. Store them now; they are not shown again.',
  qrAlt: 'QR code for the authenticator app',
  verify: 'Confirm your e-mail address',
}
