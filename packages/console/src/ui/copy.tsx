import { useState } from 'preact/hooks'
import { t } from '../words/index.ts'
import { Check, Copy } from './marks.ts'

const confirmedMs = 1_500

function useCopy(text: string) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      // On plain http the browser has no clipboard; the text can still be selected.
      return
    }
    setCopied(true)
    setTimeout(() => setCopied(false), confirmedMs)
  }
  return { copied, copy }
}

/** An id or code with a button that copies it. */
export function Copyable({ text, label }: { readonly text: string; readonly label?: string }) {
  const { copied, copy } = useCopy(text)
  return (
    <span class="copyable">
      <code dir="ltr">{label ?? text}</code>
      <button type="button" class="btn quiet mini" aria-label={t.ui.copyThis(text)} title={t.ui.copy} onClick={copy}>
        {copied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
      </button>
    </span>
  )
}

/** A button that copies a long text. */
export function CopyButton({ text }: { readonly text: string }) {
  const { copied, copy } = useCopy(text)
  return (
    <button type="button" class="btn" onClick={copy}>
      {copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
      {copied ? t.ui.copied : t.ui.copy}
    </button>
  )
}
