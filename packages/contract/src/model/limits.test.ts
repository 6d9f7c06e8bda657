import { describe, expect, it } from 'vitest'
import { errors } from '../errors/errors.ts'
import { readFixture, tableRows } from '../fixtures/tables.ts'
import { limits } from './limits.ts'

const rows = new Map(tableRows(readFixture('limits.txt')).map(([name = '', value, then]) => [name, { value, then }]))
const row = (start: string) => [...rows].find(([name]) => name.startsWith(start))?.[1]
const grouped = (count: number) => count.toLocaleString('en-US')

const { otp, campaign, trial, signIn } = limits
const [perHalfMinute, perTenMinutes, perDay] = otp.perPhone

describe('the limits', () => {
  it.each([
    ['Changes', `${limits.changesPerMinute} per minute, bursts up to ${limits.changesPerMinute}`],
    ['Text sends per number', `${limits.textsPerNumberPerMinute} per minute; high priority has no cap`],
    [
      'Campaign messages',
      `${campaign.perNumberPerMinute} per minute per number, ${campaign.perOrganizationPerMinute} per minute ` +
        `per organization, ${campaign.minSpacingSeconds} to ${campaign.maxSpacingSeconds} seconds apart`,
    ],
    [
      'OTP per destination phone',
      `one code every ${perHalfMinute.seconds} s, ${perTenMinutes.codes} per ${perTenMinutes.seconds / 60} ` +
        `min, ${perDay.codes} per ${perDay.seconds / 3600} h; sliding windows`,
    ],
    ['OTP per organization', `${otp.perOrganizationPerMinute} codes per minute`],
    ['Free trial', `${trial.days} days; ${trial.messagesPerDay} messages per day per organization`],
    [
      'Sign-in',
      `${signIn.attemptsPerIp} attempts per ${signIn.windowSeconds / 60} min per IP; ${signIn.wrongPasswords} ` +
        `wrong passwords lock the email ${signIn.lockSeconds / 60} min`,
    ],
    [
      'Numbers per account',
      `Notify, Assistant, Shop unlimited; Developer and Connect ${limits.includedNumbers} included plus bought extras`,
    ],
    ['Organizations owned per person', `${limits.ownedOrganizations}`],
    ['Order phones', `${limits.staffPhones}`],
    [
      'Field bounds',
      `message ${limits.message}; caption ${limits.caption}; filename ${limits.filename}; mimetype ` +
        `${limits.mimetype}; OTP template ${limits.otpTemplate}; batch recipients ${limits.batchRecipients}; ` +
        `validate ${limits.validatePhones} and ${grouped(limits.validateRecipients)}; campaign recipients ` +
        `${grouped(limits.campaignRecipients)}; reminder import rows ${limits.reminderRows}; webhook URL ` +
        `${limits.webhookUrl}; OTP code validity ${otp.validSeconds} s, ${otp.tries} tries`,
    ],
  ])("read as the specification's row %s", (start, value) => {
    const text = row(start)?.value
    expect(start === 'Free trial' ? text?.slice(0, value.length) : text).toBe(value)
  })

  it('leave out of the table only the AI clients, which come later', () => {
    expect(rows.size).toBe(12)
    expect(perHalfMinute.codes).toBe(1)
    expect(row('AI-client OAuth')).toBeDefined()
  })

  it('name codes of the catalogue, with their status', () => {
    const named = [...rows.values()].flatMap(({ then }) => [...(then ?? '').matchAll(/(\d{3}) ([A-Z_]{4,})/g)])
    expect(named.length).toBeGreaterThan(8)
    for (const [, status, code] of named) expect(errors).toHaveProperty([code as string, 'status'], Number(status))
  })
})
