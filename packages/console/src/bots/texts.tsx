import { botTextNames } from '@msgctl/contract/assistant'
import { limits } from '@msgctl/contract/limits'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { Choice, Form, TextArea, type Values } from '../ui/form.tsx'
import { t } from '../words/index.ts'
import type { AssistantProps } from './assistant.tsx'
import { languageName } from './language-name.ts'
import { words } from './words.ts'

/** What the assistant says besides its answers, one text at a time. An empty one is the standard text again. */
export function Texts({ bot }: AssistantProps) {
  const [language, setLanguage] = useState(bot.languages[0] ?? 'en')
  const [name, setName] = useState<string>(botTextNames[0])
  const save = useAction(
    ({ text = '' }: Values) => {
      const { [name]: _before, ...others } = bot.texts[language] ?? {}
      const own = text.trim() === '' ? others : { ...others, [name]: text }
      return admin.bots.update({ botId: bot.id, texts: { ...bot.texts, [language]: own } })
    },
    { stale: ['bots'], done: t.ui.saved, quiet: true },
  )
  const changed = Object.values(bot.texts).reduce((sum, texts) => sum + Object.keys(texts).length, 0)
  return (
    <details class="card fold">
      <summary>
        <span class="grow">{words.texts}</span>
        <span class="small muted">{words.textsChanged(changed)}</span>
      </summary>
      <div class="pad">
        <Form action={save} submit={t.ui.save}>
          <div class="fields">
            <Choice
              label={words.language}
              name="language"
              value={language}
              options={bot.languages.map((code) => [code, languageName(code)] as const)}
              onChange={setLanguage}
            />
            <Choice
              label={words.whichText}
              name="name"
              value={name}
              options={botTextNames.map((each) => [each, words.textNames[each]] as const)}
              onChange={setName}
            />
          </div>
          <TextArea
            key={`${language} ${name}`}
            label={words.text}
            name="text"
            rows={3}
            maxLength={limits.bots.text}
            defaultValue={bot.texts[language]?.[name] ?? ''}
            hint={words.textHint}
            optional
          />
        </Form>
      </div>
    </details>
  )
}
