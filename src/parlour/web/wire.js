/**
 * Types of the messages between page and server. Browsers never load this file.
 * docs/protocol/ specifies the messages.
 *
 * @typedef {{glyph: string, label: string, owner?: number, colour?: string, face?: string,
 *   sign?: string, marks?: string[], piece?: number, number?: number}} Cell
 * @typedef {{rows: number, cols: number, row_names: string[], col_names: string[],
 *   shape?: string, holes?: number[], points?: [number, number][], links?: [number, number][],
 *   pieces?: [string, [number, number][]][]}} Board `pieces` has the shape of each piece that trays name
 * @typedef {{name: string, score?: string, tray?: (string | Cell)[]}} SeatView
 * @typedef {[number, string, number[], string, number[]]} WireAction
 * @typedef {{palette: Cell[], cells: number[], seats: SeatView[], actor: number, status: string,
 *   actions?: WireAction[], board?: Board, actors?: number[]}} WireScene
 * @typedef {{'palette+'?: Cell[], cells?: [number, number][], seats?: SeatView[],
 *   actor?: number, status?: string, actions?: WireAction[], actors?: number[]}} Diff
 * @typedef {{left: number[], running: number | null}} Clocks
 * @typedef {{kind: string, name?: string, level?: number, left?: boolean}} SeatInfo
 * @typedef {{returns: number[], words: string, remark: string, key: string}} Ending
 * @typedef {{v: number, kind: string, seat: number, name: string, words: string, sentence: string,
 *   ply: number, action?: number | null, text?: string | null, cells?: number[],
 *   at?: number}} EventView
 * @typedef {{seat: number, name: string, text: string}} Spoken
 * @typedef {'draw' | 'takeback' | 'rematch'} OfferName
 * @typedef {Record<OfferName, number[]>} Offers the seats that made or accepted each open offer
 * @typedef {{v: number, ply: number, status: string, seats: SeatInfo[], actor?: number,
 *   actors?: number[], offers?: Partial<Offers>, clocks?: Clocks, ending?: Ending,
 *   remark?: string, rematch?: string, position?: string}} StandingView the state of the game
 * @typedef {{t: string, protocol: number, table: string, you: number | null, game: string,
 *   title: string, options: Record<string, unknown>, commitment: string, standing: StandingView,
 *   scene?: WireScene, history?: EventView[], missed?: EventView[], control?: string,
 *   said?: Spoken[], rematch_of?: string, chat?: boolean,
 *   can_draw?: boolean, utility?: string, teams?: number[]}} Welcome
 * @typedef {{t: string, events: EventView[], standing: StandingView, line?: number, diff?: Diff,
 *   scene?: WireScene}} Update events that happened together
 * @typedef {{table: string, game: string, title: string, options: Record<string, unknown>,
 *   status: string, seats: SeatInfo[], created: number, ply: number, control?: string,
 *   you?: number | null, your_turn?: boolean, listed?: boolean}} TableInfo
 * @typedef {{name: string, kind: string, default: unknown, help: string, low?: number,
 *   high?: number, choices?: string[], label?: string, choice_labels?: string[], seats?: Record<string, string[]>}} OptionInfo
 * @typedef {{name: string, title: string, seats: number, options?: OptionInfo[], rules: {title: string, text: string}[],
 *   has_chance: boolean, has_secrets: boolean, draw_offers: boolean, has_frames: boolean,
 *   levels: number, scene: WireScene, summary?: string, minutes?: number, puzzles?: number}} GameInfo
 * @typedef {{palette: Cell[], cells: number[], changes: [number, number][][], board?: Board}} GamePreview
 * @typedef {{examples: GamePreview[]}} GameExamples one for each section of the rules
 * @typedef {{seat: number, url: string, claim: string}} Invitation
 * @typedef {{table: string, watch_url: string, invitations?: Invitation[],
 *   seat?: number | null, token?: string}} MadeTable
 * @typedef {{action: number, text: string, words: string[], value: number,
 *   value_words: string, cells?: number[]}} ChoiceFound
 * @typedef {{ply: number, choices: ChoiceFound[], work: number, is_final: boolean,
 *   played?: {choice: ChoiceFound, lost?: number, mark?: string}}} AnalysisFound
 * @typedef {{position: string, parent?: number, action?: number, text?: string, words?: string, seat?: number,
 *   cells?: number[], actor?: number, returns?: number[]}} NodeFound
 * @typedef {{game: string, title: string, options: Record<string, unknown>, nodes: NodeFound[], shown: number,
 *   scene: WireScene, teams: number[], has_two_sides: boolean, can_set_up: boolean}} TreeFound
 */

export {};
