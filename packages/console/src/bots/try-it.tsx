import type { BotsAskOutput } from '@msgctl/client/admin'
import { limits } from '@msgctl/contract/limits'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { Form, TextArea, type Values } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { share } from '../words/format.ts'
import type { AssistantProps } from './assistant.tsx'
import { languageName } from './language-name.ts'
import { words } from './words.ts'

/** Asks the assistant a question without sending or storing anything. */
export function TryIt({ bot }: AssistantProps) {
  const [reply, setReply] = useState<BotsAskOutput | null>(null)
  const ask = useAction(
    async ({ question = '' }: Values) => setReply(await admin.bots.ask({ botId: bot.id, question })),
    { quiet: true },
  )
  return (
    <Card title={words.tryIt}>
      <div class="pad stack">
        <p class="small muted">{words.tryHint}</p>
        <Form action={ask} submit={words.ask}>
          <TextArea label={words.question} name="question" rows={2} maxLength={limits.bots.asked} />
        </Form>
        {reply === null ? null : (
          <section class="stack tight" aria-live="polite" aria-label={words.reply}>
            <p class="small muted">
              {words.outcomes[reply.kind]} · {languageName(reply.lang)} · {words.deciders[reply.by]}
            </p>
            <p class="bubble" dir="auto">
              {reply.text}
            </p>
            {reply.sources.length > 0 ? (
              <ol class="sources small">
                {reply.sources.map(({ answerId, question, score }) => (
                  <li key={answerId}>
                    <span dir="auto">{question}</span> <span class="muted num">{share(score, 1)}</span>
                  </li>
                ))}
              </ol>
            ) : null}
          </section>
        )}
      </div>
    </Card>
  )
}
