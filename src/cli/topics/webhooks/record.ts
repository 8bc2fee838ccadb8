// Deliveries on disk: for each, one file with the bytes that arrived, and one with the headers needed to check it.

import type { IncomingHttpHeaders } from 'node:http'
import { cannotWrite } from '../../../base/files/cannot-write.ts'
import { pathBelow } from '../../../base/files/path-below.ts'
import { createFile, removeLeftovers } from '../../../base/files/temporary.ts'
import { makeFolder } from '../../../base/folder.ts'
import { webhookEvents } from '../../../contract/webhook-events.ts'
import { recordedHeaders } from './saved.ts'

/** Writes one delivery and returns the path of its body. Rejects with `io` (exit 10). */
export type Recorder = (delivery: {
  body: Uint8Array
  headers: IncomingHttpHeaders
  type: string | undefined
  receivedAt: string
}) => Promise<string>

/**
 * Creates a recorder for a folder, which is created if it does not exist. Files and folder are readable by the owner only.
 *
 * A name consists of the time, a count and the event's type if that is known: nothing else that arrived becomes part of
 * a path. Throws the error of the file system.
 */
export function recorderInto(folder: string): Recorder {
  makeFolder(folder)
  let count = 0
  return async ({ body, headers, type, receivedAt }) => {
    count += 1
    const event = webhookEvents.find(({ shown_as }) => shown_as === type)?.shown_as ?? 'other'
    const name = [receivedAt.replaceAll(':', '-'), String(count).padStart(4, '0'), event].join('_')
    const lines = recordedHeaders.filter((header) => headers[header] !== undefined)
    const path = pathBelow(folder, `${name}.body`)
    try {
      removeLeftovers(folder)
      createFile(path, body, 0o600)
      const text = lines.map((header) => `${header}: ${String(headers[header])}\n`).join('')
      createFile(pathBelow(folder, `${name}.headers`), text, 0o600)
    } catch (error) {
      throw cannotWrite(path, error)
    }
    return path
  }
}
