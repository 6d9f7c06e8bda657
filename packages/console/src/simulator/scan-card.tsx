import { callSimulator } from '../api/session-calls.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { QrCode } from '../ui/marks.ts'
import { t } from '../words/index.ts'

/** A number that waits to be linked, and a simulated phone that scans its code. */
export function ScanCard({ id, label }: { readonly id: string; readonly label: string }) {
  const scan = useAction(() => callSimulator('POST', `numbers/${id}/scan`), {
    stale: ['numbers', 'number', 'qr'],
    done: t.simulator.scanned(label),
  })
  return (
    <section class="card scan-card">
      <div class="item">
        <span class="is-held">
          <QrCode size={18} aria-hidden />
        </span>
        <span class="grow">{t.simulator.waitsForScan(label)}</span>
        <Button action={scan} label={t.simulator.scan} />
      </div>
    </section>
  )
}
