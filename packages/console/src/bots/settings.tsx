import type { BotsUpdateInput } from '@msgctl/client/admin'
import { limits } from '@msgctl/contract/limits'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { useNumbers } from '../numbers/use-numbers.ts'
import { useSession } from '../session/session.ts'
import { Choice, Form, TextArea, TextField, type Values } from '../ui/form.tsx'
import { Card, Facts } from '../ui/layout.tsx'
import { listOf } from '../words/format.ts'
import { t } from '../words/index.ts'
import type { AssistantProps } from './assistant.tsx'
import { BusinessHours } from './business-hours.tsx'
import { languageName } from './language-name.ts'
import { splitWords } from './split-words.ts'
import { Texts } from './texts.tsx'
import { words } from './words.ts'

/** What an assistant is: its name, numbers, languages and behaviour. Owners and admins change it. */
export function AssistantSettings(props: AssistantProps) {
  return (
    <div class="stack">
      {props.mayManage ? <SettingsForm {...props} /> : <SettingsFacts {...props} />}
      {props.mayManage ? <BusinessHours {...props} /> : null}
      {props.mayManage ? <Texts {...props} /> : null}
      {props.mayManage ? <Shop {...props} /> : null}
    </div>
  )
}

function SettingsFacts({ bot }: AssistantProps) {
  const { numbers } = useNumbers()
  return (
    <Card title={words.settings}>
      <div class="pad">
        <Facts
          facts={[
            [
              words.numbers,
              listOf(numbers.filter(({ id }) => bot.containerIds.includes(id)).map(({ label }) => label)),
            ],
            [words.languages, listOf(bot.languages.map(languageName))],
            [words.outsideHours, words.outside[bot.outsideHours]],
          ]}
        />
      </div>
    </Card>
  )
}

function SettingsForm({ bot }: AssistantProps) {
  const { numbers } = useNumbers()
  const save = useAction(
    (values: Values) => {
      const input: BotsUpdateInput = {
        botId: bot.id,
        name: values.name ?? '',
        containerIds: numbers.map(({ id }) => id).filter((id) => values[`number-${id}`] !== undefined),
        languages: splitWords(values.languages).map((code) => code.toLowerCase()),
        personWords: splitWords(values.personWords),
        humanPauseMinutes: Number(values.humanPauseMinutes),
        outsideHours: values.outsideHours === 'away' ? 'away' : 'answer',
        instructions: values.instructions ?? '',
      }
      return admin.bots.update(input)
    },
    { stale: ['bots'], done: t.ui.saved, quiet: true },
  )
  return (
    <Card title={words.settings}>
      <div class="pad">
        <Form action={save} submit={t.ui.save}>
          <TextField label={words.name} name="name" defaultValue={bot.name} maxLength={limits.bots.name} />
          <fieldset class="checks">
            <legend>{words.numbers}</legend>
            {numbers.map(({ id, label }) => (
              <label key={id} class="check">
                <input type="checkbox" name={`number-${id}`} defaultChecked={bot.containerIds.includes(id)} />
                <span dir="auto">{label}</span>
              </label>
            ))}
          </fieldset>
          <TextField
            label={words.languages}
            name="languages"
            defaultValue={bot.languages.join(', ')}
            hint={words.languagesHint(listOf(bot.languages.map(languageName)))}
            dir="ltr"
          />
          <Choice
            label={words.outsideHours}
            name="outsideHours"
            value={bot.outsideHours}
            options={[
              ['answer', words.outside.answer],
              ['away', words.outside.away],
            ]}
          />
          <TextField
            label={words.pauseMinutes}
            name="humanPauseMinutes"
            type="number"
            min={1}
            max={limits.bots.humanPauseMinutes}
            defaultValue={String(bot.humanPauseMinutes)}
            hint={words.pauseHint}
          />
          <TextField
            label={words.personWords}
            name="personWords"
            defaultValue={bot.personWords.join(', ')}
            hint={words.personWordsHint}
            dir="auto"
            optional
          />
          <TextArea
            label={words.instructions}
            name="instructions"
            rows={3}
            defaultValue={bot.instructions}
            maxLength={limits.bots.instructions}
            hint={words.instructionsHint}
            optional
          />
        </Form>
      </div>
    </Card>
  )
}

const asked = ['askName', 'askAddress', 'askNote'] as const

function Shop({ bot }: AssistantProps) {
  const canSell = useSession()?.features.includes('bots') ?? false
  const { shop } = bot
  const save = useAction(
    (values: Values) => {
      const is = (name: string) => values[name] !== undefined
      const value = {
        enabled: is('enabled'),
        currency: values.currency ? values.currency.toUpperCase() : null,
        deliveryFee: Number(values.deliveryFee || 0),
        minimumOrder: Number(values.minimumOrder || 0),
        askName: is('askName'),
        askAddress: is('askAddress'),
        askNote: is('askNote'),
      }
      return admin.bots.update({ botId: bot.id, shop: value })
    },
    { stale: ['bots'], done: t.ui.saved, quiet: true },
  )
  if (!canSell) return null
  return (
    <details class="card fold">
      <summary>
        <span class="grow">{words.shop}</span>
        <span class="small muted">{shop?.enabled ? words.shopOpen(shop.currency ?? '') : words.shopClosed}</span>
      </summary>
      <div class="pad">
        <Form action={save} submit={t.ui.save}>
          <label class="check">
            <input type="checkbox" name="enabled" defaultChecked={shop?.enabled ?? false} />
            <span>{words.shopEnabled}</span>
          </label>
          <div class="fields">
            <TextField
              label={words.currency}
              name="currency"
              defaultValue={shop?.currency ?? ''}
              maxLength={3}
              hint={words.currencyHint}
              optional
            />
            <TextField
              label={words.deliveryFee}
              name="deliveryFee"
              inputMode="decimal"
              defaultValue={String(shop?.deliveryFee ?? 0)}
              optional
            />
            <TextField
              label={words.minimumOrder}
              name="minimumOrder"
              inputMode="decimal"
              defaultValue={String(shop?.minimumOrder ?? 0)}
              optional
            />
          </div>
          <fieldset class="checks">
            <legend>{words.askFor}</legend>
            {asked.map((each) => (
              <label key={each} class="check">
                <input type="checkbox" name={each} defaultChecked={shop?.[each] ?? each !== 'askNote'} />
                <span>{words.asks[each]}</span>
              </label>
            ))}
          </fieldset>
        </Form>
      </div>
    </details>
  )
}
