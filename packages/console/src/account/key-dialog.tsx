import { CopyButton } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { t } from '../words/index.ts'

/** Shows a new key or secret once. It closes only by the button that says it was stored. */
export function KeyDialog({ value, onClose }: { readonly value: string; readonly onClose: () => void }) {
  return (
    <Dialog title={t.keys.shownOnce} size="small" persistent onClose={onClose}>
      <form method="dialog" class="dialog-body">
        <p class="muted">{t.keys.shownOnceHint}</p>
        <output class="json strong" dir="ltr">
          {value}
        </output>
        <footer>
          <CopyButton text={value} />
          <button type="submit" class="btn primary">
            {t.keys.stored}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
