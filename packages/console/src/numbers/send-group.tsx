import type { SendGroup } from '@msgctl/client'
import { useQuery } from '@tanstack/preact-query'
import { ArrowUp } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { useMayManage } from '../session/session.ts'
import { Choice, Form } from '../ui/form.tsx'
import { Card, Page } from '../ui/layout.tsx'
import { LoadState } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { t } from '../words/index.ts'
import { useNumbers } from './use-numbers.ts'

/** The numbers that stand in for each other. */
export function SendGroupPage() {
  const group = useQuery({ queryKey: ['send-group'], queryFn: () => api.numbers.sendGroup() })
  return (
    <Page title={t.sendGroup.title} back={[pagePath('numbers'), t.nav.numbers]} narrow>
      <LoadState of={group} />
      {group.data ? <Editor initial={group.data.sendGroup} /> : null}
    </Page>
  )
}

function Editor({ initial }: { readonly initial: SendGroup }) {
  const [group, setGroup] = useState(initial)
  const mayManage = useMayManage()
  const { numbers } = useNumbers()
  const { enabled, mode, sticky, containerIds } = group
  const save = useAction(() => api.numbers.setSendGroup({ enabled, mode, sticky, containerIds }), {
    stale: ['send-group'],
    done: t.ui.saved,
    quiet: true,
  })
  const change = (part: Partial<SendGroup>) => setGroup({ ...group, ...part })
  const ordered = [
    ...containerIds.flatMap((id) => numbers.filter((number) => number.id === id)),
    ...numbers.filter(({ id }) => !containerIds.includes(id)),
  ]
  const moveUp = (id: string) => {
    const index = containerIds.indexOf(id)
    const rest = containerIds.filter((each) => each !== id)
    change({ containerIds: [...rest.slice(0, index - 1), id, ...rest.slice(index - 1)] })
  }
  return (
    <Card>
      <div class="pad">
        <Form action={save} submit={t.ui.save}>
          <p class="muted">{t.sendGroup.intro}</p>
          <fieldset class="stack" disabled={!mayManage}>
            <label class="check">
              <input
                type="checkbox"
                checked={enabled}
                onChange={(event) => change({ enabled: event.currentTarget.checked })}
              />
              <span>{t.sendGroup.enabled}</span>
            </label>
            <Choice
              label={t.sendGroup.mode}
              name="mode"
              value={mode}
              options={[
                ['backup', t.sendGroup.modes.backup],
                ['share', t.sendGroup.modes.share],
              ]}
              onChange={(value) => change({ mode: value === 'share' ? 'share' : 'backup' })}
            />
            <label class="check">
              <input
                type="checkbox"
                checked={sticky}
                onChange={(event) => change({ sticky: event.currentTarget.checked })}
              />
              <span>{t.sendGroup.sticky}</span>
            </label>
            <div class="field">
              <span>{t.sendGroup.members}</span>
              <ul class="items framed">
                {ordered.map(({ id, label, status }) => (
                  <li key={id} class="item">
                    <input
                      type="checkbox"
                      aria-label={t.sendGroup.include(label)}
                      checked={containerIds.includes(id)}
                      onChange={(event) =>
                        change({
                          containerIds: event.currentTarget.checked
                            ? [...containerIds, id]
                            : containerIds.filter((each) => each !== id),
                        })
                      }
                    />
                    <span class="grow" dir="auto">
                      {label}
                    </span>
                    <Status of={status} />
                    <button
                      type="button"
                      class="btn quiet icon"
                      aria-label={t.sendGroup.up(label)}
                      disabled={containerIds.indexOf(id) < 1}
                      onClick={() => moveUp(id)}
                    >
                      <ArrowUp size={15} aria-hidden />
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          </fieldset>
        </Form>
      </div>
    </Card>
  )
}
