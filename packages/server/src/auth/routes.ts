import type { Contract } from '@msgctl/contract'
import { deleteToken } from '../access/token-store.ts'
import type { Handlers } from '../http/handler.ts'
import { changePassword } from './change-password.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'

export const authHandlers = {
  signUp,
  signIn,
  changePassword,
  async signOut({ caller }, { db }) {
    await deleteToken(db, caller.organizationId, caller.credentialHash)
    return {}
  },
} satisfies Handlers<Contract['auth']>
