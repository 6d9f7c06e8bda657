import { Empty, Page } from '../ui/layout.tsx'
import { ShieldCheck } from '../ui/marks.ts'
import { t, type Words } from '../words/index.ts'

/** What stands on a page that the products of the organization do not include. */
export function Locked({ name }: { readonly name: keyof Words['nav'] }) {
  return (
    <Page title={t.nav[name]}>
      <div class="card">
        <Empty title={t.shell.productMissing} mark={<ShieldCheck size={20} aria-hidden />}>
          {t.shell.productMissingHint}
        </Empty>
      </div>
    </Page>
  )
}
