import type { Contract } from '@msgctl/contract'
import type { Handlers } from '#api/http/handler.ts'
import { changePassword } from './change-password.ts'
import { countRefusals } from './count-refusals.ts'
import { forgotPassword } from './forgot-password.ts'
import { resetByLink } from './reset-by-link.ts'
import { sessionHandlers } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { twoFactorHandlers } from './two-factor/routes.ts'
import { sendVerification, verifyEmail } from './verify-email.ts'
import { welcomeHandlers } from './welcome.ts'

export const authHandlers = {
  ...sessionHandlers,
  ...twoFactorHandlers,
  signUp,
  signIn: countRefusals(signIn),
  ...welcomeHandlers,
  changePassword,
  forgotPassword,
  resetPassword: resetByLink,
  sendVerification,
  verifyEmail,
} satisfies Omit<Handlers<Contract['auth']>, 'switchOrganization' | 'invitation' | 'join' | 'deleteAccount'>
