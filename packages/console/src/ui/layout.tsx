import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../words/index.ts'
import { ChevronLeft } from './marks.ts'

interface PageProps {
  readonly title: string
  /** Beside the title: a state or a count. */
  readonly beside?: ComponentChildren
  /** The actions of the page; at most one of them is primary. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
  /** Where the page belongs, for a link above the title. */
  readonly back?: readonly [path: string, name: string] | undefined
  /** The page takes the height of the window, and its lists scroll. */
  readonly fill?: boolean
  readonly narrow?: boolean
}

/** The frame of a page: title and actions above, content below. */
export function Page({ title, beside, actions, children, back, fill = false, narrow = false }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Msgctl`
  }, [title])
  return (
    <div class={`page${fill ? ' fill' : ''}${narrow ? ' slim' : ''}`}>
      <header class="head">
        <div class="title">
          {back ? (
            <a class="back" href={back[0]}>
              <ChevronLeft size={14} class="flip" aria-hidden />
              {back[1]}
            </a>
          ) : null}
          <div class="row">
            <h1 dir="auto">{title}</h1>
            {beside}
          </div>
        </div>
        {actions ? <div class="actions">{actions}</div> : null}
      </header>
      {children}
    </div>
  )
}

interface CardProps {
  readonly title?: ComponentChildren
  readonly label?: string
  readonly id?: string
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
  readonly class?: string
}

/** A surface with a title. */
export function Card({ title, label, id, aside, children, class: name = '' }: CardProps) {
  return (
    <section class={`card ${name}`} id={id} aria-label={label}>
      {title ? (
        <header>
          <h2>{title}</h2>
          {aside}
        </header>
      ) : null}
      {children}
    </section>
  )
}

interface EmptyProps {
  readonly title: string
  readonly children?: ComponentChildren
  readonly mark?: ComponentChildren
}

/** What stands where nothing is: what this place is for, and what to do. */
export function Empty({ title, children, mark }: EmptyProps) {
  return (
    <div class="empty">
      {mark ? <span class="empty-mark">{mark}</span> : null}
      <p>
        <b>{title}</b>
      </p>
      {children ? <div class="small muted">{children}</div> : null}
    </div>
  )
}

/** What stands in a card until its first content has arrived; it appears late, so that fast pages do not flicker. */
export function Loading() {
  return (
    <p class="loading" role="status">
      {t.ui.loading}
    </p>
  )
}

interface FactsProps {
  readonly facts: readonly (readonly [label: string, value: ComponentChildren] | null)[]
}

/** Labels with their values. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl class="facts">
      {facts.map((fact) =>
        fact ? (
          <div key={fact[0]}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ) : null,
      )}
    </dl>
  )
}
