import type { Contract } from '@msgctl/contract'
import type { Handlers } from '../http/handler.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { deleteToken } from './store.ts'

export const authHandlers = {
  signUp,
  signIn,
  async signOut({ caller }, { db }) {
    await deleteToken(db, caller.organizationId, caller.credentialHash)
    return {}
  },
} satisfies Handlers<Contract['auth']>
