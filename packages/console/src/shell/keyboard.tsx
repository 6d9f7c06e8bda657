import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { pagePath } from '../api/place.ts'
import { type Offer, placesFor } from '../routes.ts'
import { Dialog } from '../ui/dialog.tsx'
import { t } from '../words/index.ts'

const storageName = 'msgctl.single-keys'
/** The second letter must follow within this time, in milliseconds. */
const pairMs = 1_500

function singleKeysAllowed(): boolean {
  return localStorage.getItem(storageName) !== 'off'
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

/** Listens for the keys of the console: Ctrl K, `?`, and `g` followed by the letter of a page. */
export function useKeyboard(offer: Offer, open: (what: 'find' | 'keyboard') => void): void {
  const { route } = useLocation()
  const pressedAt = useRef(0)
  // Before the first paint: whoever sees the page can press a key.
  useLayoutEffect(() => {
    function press(event: KeyboardEvent): void {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        open('find')
        return
      }
      const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey && !isTyping(event.target)
      if (!isPlain || !singleKeysAllowed() || document.querySelector('dialog[open]')) return
      if (event.key === '?') {
        open('keyboard')
        return
      }
      if (event.key === 'g') {
        pressedAt.current = Date.now()
        return
      }
      if (Date.now() - pressedAt.current > pairMs) return
      pressedAt.current = 0
      const place = placesFor(offer)
        .flatMap(([, places]) => places)
        .find(({ key }) => key === event.key)
      if (place) route(pagePath(place.path))
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [offer])
}

interface KeyboardHelpProps {
  readonly offer: Offer
  readonly onClose: () => void
}

/** Lists the keys, and turns those without Ctrl off. */
export function KeyboardHelp({ offer, onClose }: KeyboardHelpProps) {
  const [allowed, setAllowed] = useState(singleKeysAllowed)
  return (
    <Dialog title={t.keyboard.title} onClose={onClose} size="small">
      <div class="dialog-body">
        <ul class="keys">
          <li>
            <span>{t.keyboard.find}</span>
            <kbd>Ctrl K</kbd>
          </li>
          <li>
            <span>{t.keyboard.help}</span>
            <kbd>?</kbd>
          </li>
          {placesFor(offer).flatMap(([, places]) =>
            places.map(({ name, key }) => (
              <li key={name}>
                <span>{t.keyboard.goTo(t.nav[name])}</span>
                <span>
                  <kbd>g</kbd> <kbd>{key}</kbd>
                </span>
              </li>
            )),
          )}
        </ul>
        <label class="check">
          <input
            type="checkbox"
            checked={allowed}
            onChange={(event) => {
              const { checked } = event.currentTarget
              localStorage.setItem(storageName, checked ? 'on' : 'off')
              setAllowed(checked)
            }}
          />
          <span>
            {t.keyboard.singleKeys}
            <span class="hint">{t.keyboard.singleKeysHint}</span>
          </span>
        </label>
      </div>
    </Dialog>
  )
}
