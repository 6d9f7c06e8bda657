import { settled } from '../../server/src/testing/settled.ts'
import { sim } from '../../server/src/testing/sim.ts'
import type { Stage } from './stage.ts'

interface Conversation {
  /** The number that an assistant speaks on. */
  readonly containerId: string
  readonly from: string
  readonly texts: readonly string[]
}

/** Seconds after which an assistant replies: people send several messages in a row. */
const turnAfterSeconds = 4

/** Writes to an assistant, text after text, each once it has replied to the one before. */
export async function converse({ server }: Stage, { containerId, from, texts }: Conversation): Promise<void> {
  for (const text of texts) {
    await sim(server, 'POST inbound', { containerId, from, text })
    // The reply is due some seconds after the service has received the text, not after it was written.
    await settled(server.db)
    await server.advance(turnAfterSeconds)
    await settled(server.db)
  }
}
