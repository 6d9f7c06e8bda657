import { useQuery } from '@tanstack/preact-query'
import { api } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { Form, TextArea, TextField, type Values } from '../ui/form.tsx'
import { LoadState } from '../ui/problem.tsx'
import { t } from '../words/index.ts'

/** What others see of a number in the chat app. It is read from the network when it is opened. */
export function NumberProfile({ id }: { readonly id: string }) {
  const profile = useQuery({
    queryKey: ['profile', id],
    queryFn: () => api.numbers.profile({ containerId: id }),
    staleTime: 60_000,
  })
  const words = t.numberDetail
  const save = useAction(
    ({ name = '', about = '', pictureUrl = '' }: Values) =>
      api.numbers.setProfile({
        containerId: id,
        ...(name === (profile.data?.name ?? '') ? {} : { name }),
        ...(about === (profile.data?.about ?? '') ? {} : { about }),
        ...(pictureUrl ? { pictureUrl } : {}),
      }),
    { stale: ['profile'], done: t.ui.saved, quiet: true },
  )
  return (
    <details class="card fold">
      <summary>{words.profile}</summary>
      <div class="pad">
        <LoadState of={profile} />
        {profile.data ? (
          <Form action={save} submit={words.profileSave}>
            <p class="small muted">{words.profileHint}</p>
            <TextField
              label={words.profileName}
              name="name"
              maxLength={25}
              defaultValue={profile.data.name ?? ''}
              dir="auto"
              optional
            />
            <TextArea
              label={words.profileAbout}
              name="about"
              maxLength={139}
              rows={2}
              defaultValue={profile.data.about ?? ''}
              optional
            />
            <TextField label={words.profilePicture} name="pictureUrl" type="url" optional />
          </Form>
        ) : null}
      </div>
    </details>
  )
}
