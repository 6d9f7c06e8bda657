import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { useOverview } from '../api/live.ts'
import { pagePath } from '../api/place.ts'
import { callSimulator } from '../api/session-calls.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Face } from '../ui/contact.tsx'
import { Choice, Form, TextField, type Values } from '../ui/form.tsx'
import { Card, Page } from '../ui/layout.tsx'
import { phoneText } from '../words/format.ts'
import { t } from '../words/index.ts'
import { Handset } from './handset.tsx'
import { people } from './people.ts'
import { ScanCard } from './scan-card.tsx'

/** The phones of the simulated network, and what else can be done to it. */
export function PhonePage({ phone = people[0].phone }: { readonly phone?: string }) {
  const overview = useOverview()
  const waiting = overview?.numbers.filter(({ status }) => status === 'SCAN_QR_CODE') ?? []
  return (
    <Page title={t.simulator.title}>
      <div class="phone-page">
        <div class="stack">
          <p class="muted">{t.simulator.intro}</p>
          {waiting.map(({ containerId, label }) => (
            <ScanCard key={containerId} id={containerId} label={label} />
          ))}
          <Card title={t.simulator.people} aside={<span class="small muted">{t.simulator.peopleHint}</span>}>
            <ul class="items people">
              {people.map((person) => (
                <li key={person.phone}>
                  <a
                    class="item"
                    href={pagePath(`phone/${person.phone}`)}
                    aria-current={person.phone === phone ? 'true' : undefined}
                  >
                    <Face id={person.phone} name={person.name} />
                    <span class="grow">
                      <b>{person.name}</b> <span class="num small muted">{phoneText(person.phone)}</span>
                      <span class="block small muted">{t.simulator.behaviour[person.key]}</span>
                    </span>
                  </a>
                </li>
              ))}
            </ul>
            <AnotherPhone />
          </Card>
          <Control />
        </div>
        <Handset key={phone} phone={phone} />
      </div>
    </Page>
  )
}

function AnotherPhone() {
  const { route } = useLocation()
  const open = useAction(async ({ phone = '' }: Values) => route(pagePath(`phone/${phone.replace(/\D/g, '')}`)))
  return (
    <footer>
      <Form action={open} submit={t.simulator.openPhone} class="inline">
        <TextField label={t.simulator.anotherPhone} name="phone" type="tel" placeholder="+1 202 555 0177" />
      </Form>
    </footer>
  )
}

/** What msgctl sim does too: links, lines, hosts and the clock. */
function Control() {
  const overview = useOverview()
  const numbers = overview?.numbers ?? []
  const [chosen, setChosen] = useState<string>()
  const containerId = chosen ?? numbers[0]?.containerId
  const act = useAction((path: string, input?: Record<string, unknown>) => callSimulator('POST', path, input), {
    stale: ['numbers', 'number', 'messages', 'phone'],
    done: t.simulator.done,
  })
  const onNumber = (what: string, input?: Record<string, unknown>) => act.run(`numbers/${containerId}/${what}`, input)
  return (
    <Card title={t.simulator.control}>
      <div class="pad stack">
        <Choice
          label={t.simulator.number}
          name="number"
          value={containerId}
          options={numbers.map((number) => [number.containerId, number.label])}
          onChange={setChosen}
        />
        <div class="row wrap">
          <Button onClick={() => onNumber('unlink')} label={t.simulator.unlink} />
          <Button onClick={() => onNumber('drop', { seconds: 60 })} label={t.simulator.drop} />
          <Button onClick={() => onNumber('host-down')} label={t.simulator.hostDown} />
          <Button onClick={() => onNumber('host-up')} label={t.simulator.hostUp} />
        </div>
        <div class="row wrap">
          <span class="small muted">{t.simulator.forward}</span>
          {(['60', '3600', '86400'] as const).map((seconds) => (
            <button
              key={seconds}
              type="button"
              class="btn"
              onClick={() => act.run('clock/advance', { seconds: Number(seconds) })}
            >
              {t.simulator.clock[seconds]}
            </button>
          ))}
        </div>
      </div>
    </Card>
  )
}
