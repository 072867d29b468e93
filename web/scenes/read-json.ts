/** Reading values of answers, as the client does. */
export { asNumber, asRecord, asText, isTexts } from '../../clients/typescript/src/read-json.ts';
