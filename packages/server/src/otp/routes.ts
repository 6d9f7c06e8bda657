import type { Contract } from '@msgctl/contract'
import type { Handlers } from '../http/handler.ts'
import { sendOtp } from './send.ts'
import { verifyOtp } from './verify.ts'

export const otpHandlers = { send: sendOtp, verify: verifyOtp } satisfies Handlers<Contract['otp']>
