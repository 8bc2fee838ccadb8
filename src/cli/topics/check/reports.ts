// Findings for code hosts and reviews: SARIF 2.1.0, and Markdown. Source: docs/checks.md#for-reviews.
import { createHash } from 'node:crypto'
import { sanitize, sanitizeJson } from '../../../base/text/sanitize.ts'
import type { Placed } from '../../../check/ignores.ts'
import { rules } from '../../../check/rules.ts'
import { placeOf } from './text.ts'

/** The formats of findings that no other result has. */
export const reportFormats = ['sarif', 'markdown'] as const

export type ReportFormat = (typeof reportFormats)[number]

const levels = { error: 'error', warning: 'warning', info: 'note' } as const

/** Returns findings as the text of a report. */
export function reportOf(format: ReportFormat, findings: readonly Placed[], version: string): string {
  return format === 'sarif'
    ? `${sanitizeJson(JSON.stringify(sarifOf(findings, version), null, 2))}\n`
    : markdownOf(findings)
}

function sarifOf(findings: readonly Placed[], version: string): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'promo',
            version,
            rules: rules.map(({ id, severity, title }) => ({
              id,
              shortDescription: { text: title },
              help: { text: `docs/checks.md#${id}` },
              defaultConfiguration: { level: levels[severity] },
            })),
          },
        },
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: rules.findIndex(({ id }) => id === finding.rule),
          level: levels[finding.severity],
          message: { text: [finding.message, ...(finding.fix === undefined ? [] : [`Fix: ${finding.fix}`])].join(' ') },
          locations: [locationOf(finding)],
          // A line that moves leaves the finding what it was.
          partialFingerprints: { 'promo/v1': fingerprintOf(finding) },
        })),
      },
    ],
  }
}

function locationOf({ object, file, line }: Placed): object {
  const logicalLocations = [{ fullyQualifiedName: object }]
  if (file === undefined) return { logicalLocations }
  const uri = file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine: line ?? 1 } }, logicalLocations }
}

function fingerprintOf({ rule, object }: Placed): string {
  return createHash('sha256').update(`${rule} ${object}`).digest('hex').slice(0, 32)
}

/** A table for a review. */
function markdownOf(findings: readonly Placed[]): string {
  if (findings.length === 0) return 'promo check: nothing found.\n'
  const rows = findings.map((finding) => {
    const fix = finding.fix === undefined ? [] : [`Fix: ${finding.fix}`]
    return [[finding.severity], [placeOf(finding)], [finding.rule], [finding.message, ...fix]]
  })
  return markdownTable(['Severity', 'Where', 'Rule', 'Finding'], rows)
}

/** Returns a table in Markdown; of a cell each text has a line. Nothing in it may be taken for markup. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[][]): string {
  const escapeMarkdown = (text: string) => sanitize(text).replaceAll(/[\\`*_{}[\]<>|#~@]/g, '\\$&')
  const lines = rows.map((cells) => cells.map((texts) => texts.map(escapeMarkdown).join('<br>')))
  return [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}
