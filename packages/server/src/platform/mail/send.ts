import { workOn } from '#platform/set-aside/work.ts'
import type { Services } from '#services.ts'
import { openMail } from './queue.ts'
import { type ClaimedMail, claimMail, finishMail, type MailResult } from './store.ts'

/** Longer than an attempt and its write. After it, another process repeats the attempt. */
const leaseSeconds = 120
/** The waits after each failed attempt; 12 hours in all. */
const waitsSeconds = [60, 300, 1800, 7200, 33_600]
/** A run ends within a minute also when the mail server hangs; the next one continues. */
const runForMs = 40_000
const setAside: MailResult = {
  outcome: 'failed',
  dueInSeconds: null,
  error: 'Several processes died while they sent it.',
}

/** Sends the mails that are due, one after the other in the order in which they became due. */
export async function sendDueMails(services: Services): Promise<void> {
  const startedAtMs = performance.now()
  while (performance.now() - startedAtMs < runForMs) {
    const claimed = await claimMail(services.db, leaseSeconds)
    if (!claimed) return
    await workOn(services, 'mails', [claimed], {
      run: async () => finishMail(services.db, claimed, await attempt(services, claimed)),
      setAside: () => finishMail(services.db, claimed, setAside),
    })
  }
}

async function attempt({ mailer, secrets, log }: Services, claimed: ClaimedMail): Promise<MailResult> {
  const outcome = await send()
  if (outcome.status === 'sent') {
    return { outcome: mailer.kind === 'local' ? 'kept' : 'sent', dueInSeconds: null, error: null }
  }
  const waitSeconds = outcome.status === 'later' ? (waitsSeconds[claimed.attempts - 1] ?? null) : null
  const { kind, attempts } = claimed
  log.warn({ event: 'mail_not_sent', kind, attempts, reason: outcome.reason }, 'a mail could not be sent')
  return { outcome: waitSeconds === null ? 'failed' : 'later', dueInSeconds: waitSeconds, error: outcome.reason }

  async function send() {
    try {
      return await mailer.send(openMail(secrets, claimed))
    } catch (error) {
      return { status: 'later', reason: error instanceof Error ? error.message : String(error) } as const
    }
  }
}
