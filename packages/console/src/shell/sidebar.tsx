import { useOverview } from '../api/live.ts'
import { pagePath } from '../api/place.ts'
import { type Place, placesFor } from '../routes.ts'
import type { Session } from '../session/session.ts'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'

interface SidebarProps {
  readonly session: Session
  readonly isNarrow: boolean
  readonly path: string
}

/** The menu. On narrow windows it is a popover. */
export function Sidebar({ session, isNarrow, path }: SidebarProps) {
  const here = path.slice(pagePath().length).split('/')[0] ?? ''
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: links report the keyboard as clicks.
    <aside
      id="menu"
      class="side"
      aria-label={t.shell.menu}
      popover={isNarrow ? 'auto' : undefined}
      onClick={(event) => {
        const { target, currentTarget } = event
        if (isNarrow && target instanceof Element && target.closest('a')) currentTarget.hidePopover()
      }}
    >
      <a class="brand" href={pagePath()}>
        <span class="logo" aria-hidden />
        <span class="brand-name" dir="auto">
          {session.organization?.name ?? t.shell.brand}
        </span>
      </a>
      {placesFor(session).map(([group, places]) => (
        <nav key={group} aria-label={t.groups[group]}>
          {group === 'start' ? null : <h2>{t.groups[group]}</h2>}
          {places.map((place) => (
            <MenuLink
              key={place.name}
              place={place}
              isCurrent={here === place.path}
              isLocked={place.feature !== undefined && !session.features.includes(place.feature)}
            />
          ))}
        </nav>
      ))}
    </aside>
  )
}

interface MenuLinkProps {
  readonly place: Place
  readonly isCurrent: boolean
  readonly isLocked: boolean
}

function MenuLink({ place, isCurrent, isLocked }: MenuLinkProps) {
  const { mark: Mark, name, path } = place
  return (
    <a
      class={`nav${isLocked ? ' locked' : ''}`}
      href={pagePath(path)}
      aria-current={isCurrent ? 'page' : undefined}
      title={t.nav[name]}
    >
      <Mark size={16} aria-hidden />
      <span class="nav-name">{t.nav[name]}</span>
      <Badge name={name} />
    </a>
  )
}

/** How many chats have unread messages, and how many numbers do not work. */
function Badge({ name }: Pick<Place, 'name'>) {
  const overview = useOverview()
  if (overview === null) return null
  if (name === 'inbox' && overview.unread) {
    const unread = number(overview.unread)
    return (
      <span class="badge num">
        <span aria-hidden>{overview.unread > 99 ? '99+' : unread}</span>
        <span class="unseen">{t.shell.unread(unread)}</span>
      </span>
    )
  }
  const down = overview.numbers.filter(({ status }) => status !== 'WORKING' && status !== 'STARTING').length
  if (name !== 'numbers' || down === 0) return null
  return (
    <span class="badge warn num">
      <span aria-hidden>{number(down)}</span>
      <span class="unseen">{t.shell.down(number(down))}</span>
    </span>
  )
}
