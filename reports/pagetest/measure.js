(() => {
	document.querySelectorAll("details").forEach(d => d.open = true); // what is folded is not drawn
	const shown = e => e.getClientRects().length > 0;
	const figures = [...document.querySelectorAll("figure svg, .scale svg")].filter(shown).map(s => {
		const b = s.getBoundingClientRect();
		return {title: s.querySelector("text")?.textContent ?? "", class: s.parentElement.className, x: b.x, y: b.y, w: b.width, h: b.height};
	});
	const texts = [...document.querySelectorAll("figure svg text, .scale svg text")].filter(shown).map(t => ({
		text: t.textContent, size: Number(t.getAttribute("font-size")), bold: t.getAttribute("font-weight") == "bold", width: t.getComputedTextLength()}));
	const tables = [...document.querySelectorAll(".table")].map(t => {
		const heads = [...t.querySelectorAll("th")], cells = [...(t.querySelector("tbody tr")?.children ?? [])], needs = t.scrollWidth;
		t.scrollIntoView({block: "center"});
		const frame = t.getBoundingClientRect();
		const uncovered = e => {
			const b = e.firstElementChild.getBoundingClientRect(), y = b.top + 5;
			return b.left >= frame.left - 1 && b.right <= frame.right + 1 && [b.left + 2, b.right - 2].every(x => e.contains(document.elementFromPoint(x, y)));
		};
		let kept = cells, never = cells;
		for (let at = 0; ; at += 10) {
			t.scrollLeft = at;
			const inSight = cells.filter(uncovered);
			kept = kept.filter(c => inSight.includes(c));
			never = never.filter(c => !inSight.includes(c));
			if (at > needs) break;
		}
		const names = list => list.map(c => heads[cells.indexOf(c)].textContent);
		t.scrollLeft = 0;
		const cut = [...t.querySelectorAll("td > div")].filter(d => d.scrollWidth > d.clientWidth + 1).map(d => d.textContent);
		const text = document.createRange(), caption = t.querySelector("caption");
		if (caption && (text.selectNodeContents(caption), text.getBoundingClientRect().right > frame.right + 1)) cut.push(caption.textContent);
		return {width: frame.width, needs, cut, kept: names(kept), never: names(never)};
	});
	scrollTo(0, 0);
	const canvas = document.createElement("canvas").getContext("2d");
	canvas.font = "100px " + (document.querySelector("svg")?.getAttribute("font-family") ?? "serif");
	return {height: Math.ceil(document.documentElement.scrollHeight), overflow: document.documentElement.scrollWidth - innerWidth, loads: window.loads ?? ["the page's head is missing"], figures, texts, tables, probe: canvas.measureText("Mill").width};
})()
