export type Pair = readonly [en: string, ja: string];
