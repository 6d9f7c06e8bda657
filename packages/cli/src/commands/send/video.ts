import type { Command } from 'commander'
import { mediaFields } from '../../input/media.ts'
import type { Run } from '../../program.ts'
import { addFile, type FileOptions, fileFields, send } from './direct-call.ts'

/** Adds `send video`. */
export function registerVideo(parent: Command, run: Run): void {
  addFile(
    parent,
    'video <phone> <file>',
    'send an MP4 video, local or from a public link',
    'msgctl send video +12025550100 ./tour.mp4',
  ).action(
    run((context, phone: string, file: string, options: FileOptions) =>
      send(context, phone, options, async (client, envelope, settings) => {
        const media = await mediaFields(context, client, 'videoUrl', file)
        return client.alert.sendVideo.withResponse({ ...media, ...fileFields(options), ...envelope }, settings)
      }),
    ),
  )
}
