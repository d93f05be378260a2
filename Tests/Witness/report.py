"""Writes what a comparison found: a row per shader as it happens, a summary at the end."""

import csv
from collections import Counter

COLUMNS = ("name", "status", "within", "max", "mean", "language", "seconds", "reason")


class Table:
    """A tab-separated file of results that grows row by row, so that an interrupted comparison can go on."""

    def __init__(self, path, resume):
        self.path = path
        self.rows = _read(path) if resume and path.exists() else []
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter="\t", lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows([row[column] for column in COLUMNS] for row in self.rows)

    def names(self):
        """Returns the names of the shaders that have a row."""
        return {row["name"] for row in self.rows}

    def add(self, name, verdict, language, seconds):
        """Appends one result to the file."""
        difference = verdict.difference
        row = {
            "name": name,
            "status": verdict.status,
            "within": f"{difference.share_within:.4f}" if difference else "",
            "max": str(difference.maximum) if difference else "",
            "mean": f"{difference.mean:.3f}" if difference else "",
            "language": language,
            "seconds": f"{seconds:.1f}",
            "reason": " ".join(verdict.reason.split()),
        }
        self.rows.append(row)
        with open(self.path, "a", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter="\t", lineterminator="\n").writerow([row[column] for column in COLUMNS])

    def summary(self, title):
        """Returns a Markdown page: how many of each status per collection, and every shader that is not fine."""
        statuses = sorted({row["status"] for row in self.rows})
        collections = sorted({row["name"].split("/")[0] for row in self.rows})
        counts = Counter((row["name"].split("/")[0], row["status"]) for row in self.rows)
        lines = [f"# {title}", "", f"| collection | {' | '.join(statuses)} | all |", "|---" * (len(statuses) + 2) + "|"]
        for collection in collections:
            numbers = [counts[collection, status] for status in statuses]
            lines.append(f"| {collection} | {' | '.join(map(str, numbers))} | {sum(numbers)} |")
        totals = [sum(counts[collection, status] for collection in collections) for status in statuses]
        lines.append(f"| **all** | {' | '.join(map(str, totals))} | {sum(totals)} |")
        for status in statuses:
            if status in ("agrees", "rendered"):
                continue
            lines += ["", f"## {status}", "", "| shader | within | max | reason |", "|---|---|---|---|"]
            for row in sorted((row for row in self.rows if row["status"] == status), key=lambda row: row["name"]):
                reason = row["reason"].replace("|", "\\|")
                lines.append(f"| {row['name']} | {row['within']} | {row['max']} | {reason} |")
        return "\n".join(lines) + "\n"


def _read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))
