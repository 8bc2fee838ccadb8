// The header of a file is for people: `ID,Voucher Type`. Source: docs/service/exports.md#file.

const words: Record<string, string> = { id: 'ID', sku: 'SKU', url: 'URL', qr: 'QR' }

/** Words the name of a field as the header has it; a key of the metadata stays what it is. */
export function labelOf(field: string): string {
  // ASSUMED A260: labels beyond the published ones are made like them: words with capitals, abbreviations in capitals.
  if (field.startsWith('metadata.')) return field
  return field
    .split('_')
    .map((word) => words[word] ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
