import { useConnection } from '../api/live.ts'
import { pagePath, servicePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { endSession, type Session } from '../session/session.ts'
import { Face } from '../ui/contact.tsx'
import { LogOut, Menu, Search } from '../ui/marks.ts'
import { currentTheme, showTheme, type Theme, themes } from '../ui/theme.ts'
import { t } from '../words/index.ts'
import { changeLanguage, language, languageNames, languages } from '../words/language.ts'

interface TopBarProps {
  readonly user: NonNullable<Session['user']>
  readonly isNarrow: boolean
  readonly onFind: () => void
  readonly onKeyboard: () => void
}

/** Search, whether the page is live, and the menu of the person. */
export function TopBar({ user, isNarrow, onFind, onKeyboard }: TopBarProps) {
  const isExposed = location.protocol === 'http:' && !/^(?:localhost|127\.|\[::1\])/.test(location.hostname)
  return (
    <header class="top-bar">
      {isNarrow ? (
        <button type="button" class="btn quiet icon" aria-label={t.shell.menu} popovertarget="menu">
          <Menu size={18} aria-hidden />
        </button>
      ) : null}
      <button type="button" class="find" onClick={onFind}>
        <Search size={15} aria-hidden />
        <span class="cut">{t.shell.find}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <LiveMark />
      {isExposed ? (
        <span class="exposed" role="alert">
          {t.shell.notEncrypted}
        </span>
      ) : null}
      <button type="button" class="btn quiet person-button" aria-label={t.shell.account} popovertarget="person">
        <Face id={user.email} name={user.name} />
      </button>
      <PersonMenu user={user} onKeyboard={onKeyboard} />
    </header>
  )
}

function LiveMark() {
  const state = useConnection()
  const word = { live: t.shell.live, reconnecting: t.shell.reconnecting, paused: t.shell.paused }[state]
  return (
    <span class="live" data-state={state} role="status" title={word}>
      <i aria-hidden />
      <span class="live-word">{word}</span>
    </span>
  )
}

function PersonMenu({ user, onKeyboard }: Pick<TopBarProps, 'user' | 'onKeyboard'>) {
  const leave = useAction(() => endSession())
  const close = () => document.getElementById('person')?.hidePopover()
  return (
    <div id="person" class="popover" popover="auto">
      <div class="popover-head">
        <b dir="auto">{user.name}</b>
        <span class="small muted cut">{user.email}</span>
      </div>
      <a class="popover-item" href={pagePath('profile')} onClick={close}>
        {t.nav.profile}
      </a>
      <a class="popover-item" href={pagePath('organization')} onClick={close}>
        {t.shell.organizations}
      </a>
      <a class="popover-item" href={servicePath('/docs')} target="_blank" rel="noreferrer">
        {t.shell.documentation}
      </a>
      <button
        type="button"
        class="popover-item"
        onClick={() => {
          close()
          onKeyboard()
        }}
      >
        {t.shell.shortcuts}
      </button>
      <label class="popover-field">
        {t.shell.theme}
        <select class="input" onChange={(event) => showTheme(event.currentTarget.value as Theme)}>
          {themes.map((theme) => (
            <option key={theme} value={theme} selected={theme === currentTheme()}>
              {t.shell.themes[theme]}
            </option>
          ))}
        </select>
      </label>
      <label class="popover-field">
        {t.shell.language}
        <select
          class="input"
          onChange={(event) => {
            const chosen = languages.find((each) => each === event.currentTarget.value)
            if (chosen) changeLanguage(chosen)
          }}
        >
          {languages.map((each) => (
            <option key={each} value={each} lang={each} selected={each === language}>
              {languageNames[each]}
            </option>
          ))}
        </select>
      </label>
      <button type="button" class="popover-item" disabled={leave.busy} onClick={() => leave.run()}>
        <LogOut size={15} class="flip" aria-hidden />
        {t.shell.signOut}
      </button>
    </div>
  )
}
