import type { NumbersStatusOutput } from '@msgctl/client'
import { Card, Facts } from '../ui/layout.tsx'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'

type GuardState = NonNullable<NumbersStatusOutput['guard']>

function allowance({ used, allowed }: GuardState['lastHour']): string {
  const words = t.numberDetail
  return allowed === null ? words.noLimit(number(used)) : words.ofAllowed(number(used), number(allowed))
}

/** The rules that protect a number from being banned, and how much of them is used. */
export function Guard({ guard }: { readonly guard: GuardState }) {
  const words = t.numberDetail
  return (
    <Card title={words.guard}>
      <div class="pad">
        <p class="small muted">{words.guardHint}</p>
        <Facts
          facts={[
            [words.daysLinked, words.days(guard.daysLinked)],
            [words.newConversations, allowance(guard.newConversations)],
            [words.lastHour, allowance(guard.lastHour)],
            [words.lastDay, allowance(guard.lastDay)],
            [words.heldByRules, number(guard.held)],
          ]}
        />
      </div>
    </Card>
  )
}
