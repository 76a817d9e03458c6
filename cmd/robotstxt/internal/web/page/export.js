// The table of verdicts as CSV and JSON: one record for each URL and crawler.

import { kindOf } from "./verdict.js";

function records(urls, rows, { columns, decisions }) {
  return rows.flatMap((i) =>
    columns.map((column) => {
      const d = decisions[column.verdicts[i]];
      return {
        url: urls[i],
        agent: column.agent,
        token: column.group,
        verdict: kindOf(d),
        line: d.line,
        rule: d.rule,
        reason: d.reason,
      };
    }),
  );
}

export const toJSON = (...table) => JSON.stringify(records(...table), null, 2);

// toCSV returns the table as CSV (RFC 4180).
export function toCSV(...table) {
  const names = ["url", "agent", "token", "verdict", "line", "rule", "reason"];
  const quote = (value) => `"${String(value).replaceAll('"', '""')}"`;
  const lines = records(...table).map((record) => names.map((name) => quote(record[name])).join(","));
  return [names.join(","), ...lines].join("\r\n") + "\r\n";
}
