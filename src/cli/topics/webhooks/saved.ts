// A delivery in two files: its body byte for byte, and its headers, one per line. `listen --record` writes them.
import { fileBytes } from '../../request/input-text.ts'
import type { Input } from '../../run/host.ts'
import type { ReceivedRequest } from './delivery.ts'
import { signatureHeader } from './signature.ts'

/** Headers that are recorded: those needed to check and read a delivery. Others may contain secrets of the receiver. */
export const recordedHeaders = ['content-type', 'user-agent', signatureHeader]

/** Reads a saved delivery. Throws `input` (exit 2) for a file that cannot be read. */
export async function savedDelivery(
  bodyFile: string,
  { signature, headers }: { signature?: string | undefined; headers?: string | undefined },
  host: Input,
): Promise<ReceivedRequest> {
  const body = await fileBytes(bodyFile, host)
  if (signature !== undefined) return { body, signatures: [signature] }
  const lines = headers === undefined ? [] : (await fileBytes(headers, host)).toString('utf8').split('\n')
  const valuesOf = (header: string) =>
    lines
      .map((line) => line.split(/:(.*)/s))
      .filter(([name = '']) => name.trim().toLowerCase() === header)
      .map(([, value = '']) => value.trim())
  return { body, signatures: valuesOf(signatureHeader), contentType: valuesOf('content-type')[0] }
}
