import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { addFile, type FileOptions, fileFields, send } from './direct-call.ts'

/** Adds `send video`. */
export function registerVideo(parent: Command, run: Run): void {
  addFile(
    parent,
    'video <phone> <url>',
    'send an MP4 video from a public URL',
    'msgctl send video +12025550100 https://example.com/tour.mp4',
  ).action(
    run((context, phone: string, videoUrl: string, options: FileOptions) =>
      send(context, phone, options, (client, envelope, settings) =>
        client.alert.sendVideo.withResponse({ videoUrl, ...fileFields(options), ...envelope }, settings),
      ),
    ),
  )
}
