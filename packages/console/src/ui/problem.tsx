import type { UseQueryResult } from '@tanstack/preact-query'
import type { Failure } from '../api/failure.ts'
import { failureOf } from '../api/failure.ts'
import { t } from '../words/index.ts'
import { Button } from './button.tsx'
import { Copyable } from './copy.tsx'
import { Loading } from './layout.tsx'
import { CircleAlert } from './marks.ts'

/** A failure: the sentence of the service, its code, and the request id to quote. */
export function Problem({ failure }: { readonly failure: Failure }) {
  return (
    <div class="problem" role="alert">
      <CircleAlert size={16} aria-hidden />
      <div>
        <p dir="auto">{failure.message}</p>
        {failure.code ? (
          <p class="small muted">
            <code>{failure.code}</code>
            {failure.requestId ? (
              <>
                {' · '}
                {t.failure.request} <Copyable text={failure.requestId} />
              </>
            ) : null}
          </p>
        ) : null}
      </div>
    </div>
  )
}

/** The failure of a query in place of what it should show. */
export function LoadProblem({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  return (
    <div class="pad stack tight">
      <Problem failure={failureOf(error)} />
      <div>
        <Button onClick={retry} label={t.ui.retry} />
      </div>
    </div>
  )
}

/** The state of a query until it has data: that it is loading, or why it failed. */
export function LoadState({
  of: query,
}: {
  readonly of: Pick<UseQueryResult, 'isError' | 'isPending' | 'error' | 'refetch'>
}) {
  if (query.isError) return <LoadProblem error={query.error} retry={() => query.refetch()} />
  return query.isPending ? <Loading /> : null
}
