import process from "node:process"; const cpu=()=>{const u=process.cpuUsage(); return (u.user+u.system)/1000;};
import { Buffer } from "node:buffer";
import { linesOf, readBatch } from "./batch.ts";
import { RECORD_KINDS } from "../contract/kinds.ts";
import { readRecordLine } from "../domain/identity/record-line.ts";
import { eventId } from "../domain/identity/event-id.ts";
import { normalise } from "../domain/records/registry.ts";
const src = { sensorId: "z", tenantId: "main", allowedKinds: new Set(RECORD_KINDS), trust: "packet" as const, expectedExporters: null };
for (const [file, kind, time] of [["zeek-conn.ndjson","zeek.conn"],["zeek-dns.ndjson","zeek.dns"],["goflow2.ndjson","netflow.flow"]] as any) {
const recs = Deno.readTextFileSync("test/data/ingest/"+file).trim().split("\n");
const mk = (n: number) => Buffer.from(Array.from({length:1000},(_, i)=>`{"kind":"${kind}","observed_at":"2026-01-31T12:00:00.${String(i+n*1000).padStart(6,"0")}Z","payload":${recs[i%recs.length]}}`).join("\n"));
const body = mk(1);
for (let k=0;k<10;k++) await readBatch(linesOf(body), src);
const N=30; let t=(cpu());
for (let k=0;k<N;k++) await readBatch(linesOf(body), src);
const all=((cpu())-t)/N;
t=(cpu()); for (let k=0;k<N;k++) linesOf(body); const lines=((cpu())-t)/N;
const ls = linesOf(body); const td=new TextDecoder("utf-8",{fatal:true,ignoreBOM:true});
t=(cpu()); for (let k=0;k<N;k++) for(const l of ls) td.decode(l); const dec=((cpu())-t)/N;
const texts=ls.map(l=>td.decode(l));
t=(cpu()); for (let k=0;k<N;k++) for(const l of texts) readRecordLine(l); const rd=((cpu())-t)/N;
const rs=texts.map(readRecordLine);
t=(cpu()); for (let k=0;k<N;k++) for(const r of rs) eventId({tenantId:"main",sensorId:"z",kind:r.kind,observedAtCanonical:r.observedAt.canonical,canonicalPayload:r.canonicalPayload}); const id=((cpu())-t)/N;
t=(cpu()); for (let k=0;k<N;k++) for(const r of rs) normalise(r.kind as any, r.value, {observedAt:r.observedAt.micros, expectedExporters:null}); const nm=((cpu())-t)/N;
console.log(file, body.length/1000|0, "B/line; µs/record all", all.toFixed(2), "split", lines.toFixed(2), "decode", dec.toFixed(2), "read", rd.toFixed(2), "id", id.toFixed(2), "normalise", nm.toFixed(2));
}
