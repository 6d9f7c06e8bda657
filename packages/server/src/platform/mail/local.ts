import type { Mail, Mailer } from './mailer.ts'

/** Creates the driver of development: mails stay in the outbox, which GET /sim/mail shows. */
export function localMailer(): Mailer {
  const listeners: ((mail: Mail) => void)[] = []
  return {
    kind: 'local',
    async send(mail) {
      for (const listener of listeners) listener(mail)
      return { status: 'sent' }
    },
    onKept: (listener) => void listeners.push(listener),
    close: async () => undefined,
  }
}
