// YAML, for people who keep objects in files. Every parser reads the same values, including those for YAML 1.1.
import type { Scalar, ToStringOptions } from 'yaml'
import { isRawNumber, type RawNumber } from '../../base/lossless-json.ts'
import { sanitize } from '../../base/text/sanitize.ts'

/** Returns the YAML text of a value, ending with a newline. */
export async function yamlText(value: unknown): Promise<string> {
  const { Document, visit } = await import('yaml')
  // YAML 1.1 reads `yes` as true and 0123 as 83: `compat` quotes such texts.
  const document = new Document(value ?? null, {
    aliasDuplicateObjects: false,
    compat: 'yaml-1.1',
    customTags: [sourceDigits],
  })
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && needsQuotes(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  return sanitize(document.toString(layout), { lines: true })
}

/** Writes a listing as one sequence, a batch at a time; `[]` for zero objects. */
export async function* yamlSequence(batches: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let isEmpty = true
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield await yamlText(batch)
    isEmpty = false
  }
  if (isEmpty) yield '[]\n'
}

// No folding: grep does not find a long text that is split into lines.
const layout: ToStringOptions = { lineWidth: 0 }

/**
 * Only a double-quoted text can hold escapes, so every text that the sanitiser would change is quoted; so is a text of
 * several lines whose white space the library would lose in its block form.
 */
function needsQuotes(text: string): boolean {
  return sanitize(text, { lines: true }) !== text || (text.includes('\n') && /^\s|[ \t](?:\n|$)/.test(text))
}

const sourceDigits = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: isRawNumber,
  resolve: (text: string) => text,
  stringify: (node: Scalar) => (node.value as RawNumber).rawJSON,
}
