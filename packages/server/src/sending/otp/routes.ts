import type { Contract } from '@msgctl/contract'
import type { Handlers } from '#api/http/handler.ts'
import { sendOtp } from './send.ts'
import { otpStats } from './stats.ts'
import { verifyOtp } from './verify.ts'

export const otpHandlers = { send: sendOtp, verify: verifyOtp, stats: otpStats } satisfies Handlers<Contract['otp']>
