// The part of saxen that is used here; the package has no types of its own.
declare module 'saxen' {
  export class Parser {
    on(event: 'openTag', hear: (name: string, attributes: () => Record<string, string>) => void): this
    on(event: 'closeTag', hear: (name: string) => void): this
    on(event: 'text' | 'cdata' | 'attention', hear: (text: string) => void): this
    on(event: 'error' | 'warn', hear: (error: Error) => void): this
    /** Reads on; what is incomplete waits for the next piece. */
    write(xml: string): this
    end(): Error | null
  }
}
