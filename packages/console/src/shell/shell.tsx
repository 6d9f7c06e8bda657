import { useEffect, useState } from 'preact/hooks'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { Route, Router, useLocation } from 'preact-iso/router'
import { startLive } from '../api/live.ts'
import { pagePath } from '../api/place.ts'
import { pages } from '../routes.ts'
import type { Session } from '../session/session.ts'
import { Empty, Page } from '../ui/layout.tsx'
import { t } from '../words/index.ts'
import { Find } from './find.tsx'
import { KeyboardHelp, useKeyboard } from './keyboard.tsx'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'
import '../styles/shell.css'

const Banner = lazy(() => import('../billing/banner.tsx').then(({ Banner }) => Banner))

const narrow = matchMedia('(max-width: 640px)')

/** Returns whether the window is as narrow as a phone. */
function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(narrow.matches)
  useEffect(() => {
    const listen = () => setNarrow(narrow.matches)
    narrow.addEventListener('change', listen)
    return () => narrow.removeEventListener('change', listen)
  }, [])
  return isNarrow
}

interface ShellProps {
  readonly session: Session
  readonly user: NonNullable<Session['user']>
}

/** The frame around every page: menu, search, and whether the page is live. */
export function Shell({ session, user }: ShellProps) {
  const { path } = useLocation()
  const [open, setOpen] = useState<'find' | 'keyboard' | null>(null)
  const isNarrow = useNarrow()
  useEffect(startLive, [session.organization?.id])
  useKeyboard(session, setOpen)
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {t.shell.skip}
      </a>
      <Sidebar session={session} isNarrow={isNarrow} path={path} />
      <div class="main">
        <TopBar user={user} isNarrow={isNarrow} onFind={() => setOpen('find')} onKeyboard={() => setOpen('keyboard')} />
        {session.payments ? (
          <ErrorBoundary>
            <Banner />
          </ErrorBoundary>
        ) : null}
        <main id="content" class="content" tabIndex={-1}>
          <Router>
            {pages.map(([page, component]) => (
              <Route key={page} path={pagePath(page)} component={component} />
            ))}
            <Route default component={UnknownPage} />
          </Router>
        </main>
      </div>
      {open === 'find' ? <Find offer={session} onClose={() => setOpen(null)} /> : null}
      {open === 'keyboard' ? <KeyboardHelp offer={session} onClose={() => setOpen(null)} /> : null}
    </div>
  )
}

function UnknownPage() {
  return (
    <Page title={t.shell.unknownPage}>
      <Empty title={t.shell.unknownPageHint}>
        <a class="btn" href={pagePath('')}>
          {t.nav.home}
        </a>
      </Empty>
    </Page>
  )
}
