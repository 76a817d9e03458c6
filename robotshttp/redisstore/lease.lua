-- lease.lua lends the site KEYS[1]; see robotshttp.Lender. All times are in microseconds, as durations
-- from the time at which the site was stored. So nothing comes nearer or goes further away if the clock
-- of Redis goes back.
--
-- ARGV: holder, for, turn, "1" if it holds the lease, "1" if it was told to wait, "1" to yield, next, pause.
-- Reply: 1 if the lease is held or 0, next, pause, again, how many others want the site, how many of their
-- names come before the holder's, the time.
local SOMEBODY = '?'        -- the holder of a lease that was lost
local FAR = 86400000000     -- no time is further away; else it is a mistake
local MIN_AGAIN = 500000
local PATIENCE = 5000000    -- a waiter that is so late counts as dead
local MEMORY = 60000000     -- how long a site is remembered after its times are over

local me, lend, turn = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local holds, waits, yields = ARGV[4] == '1', ARGV[5] == '1', ARGV[6] == '1'
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

-- The value: the time at which it was stored, the holder or "-", the rest of the lease, of the turn, of the
-- delay and of the pause, and for each waiter its name and how long it is not dead. Anything else counts as
-- no value.
local site = {holder = '-', lease = 0, turn = 0, next = 0, pause = 0}
local queue = {}
local text = redis.call('GET', KEYS[1])
local at, holder, lease, left, next, pause, names = string.match(text or '', '^(%d+) (%S+) (%d+) (%d+) (%d+) (%d+)(.*)$')
local known = at ~= nil
if known then
	local passed = math.max(0, now - at)
	local function rest(t) return math.min(math.max(tonumber(t) - passed, 0), FAR) end
	site = {holder = holder, lease = rest(lease), turn = rest(left), next = rest(next), pause = rest(pause)}
	if site.lease == 0 then
		site.holder = '-'
	end
	for name, alive in string.gmatch(names, ' (%S+) (%d+)') do
		if rest(alive) > 0 then
			queue[#queue + 1] = {name = name, alive = rest(alive)}
		end
	end
end
site.next = math.max(site.next, tonumber(ARGV[7]))
site.pause = math.max(site.pause, tonumber(ARGV[8]))

local place -- of this process in the queue
for i, w in ipairs(queue) do
	if w.name == me then
		place = i
	end
end
local function leave()
	if place then
		table.remove(queue, place)
		place = nil
	end
end

-- decide returns whether the lease is held. If it is not, the result again is when to ask for it.
local function decide()
	local is_holder = site.holder == me or site.holder == SOMEBODY and holds
	if lend == 0 then -- it gives the site back, or leaves the queue
		if is_holder then
			site.holder, site.lease, site.turn = '-', 0, 0
		end
		leave()
		return 0, 0
	end
	if not known and waits then -- the site was lent when this process last asked, so the lease was lost
		site.holder, site.lease, site.turn = SOMEBODY, lend / 3, lend / 3
	elseif is_holder and yields and #queue > 0 then
		site.holder, site.lease, site.turn = '-', 0, 0
	elseif is_holder or site.holder == '-' and (place == 1 or #queue == 0) then
		if site.holder ~= me or yields then
			site.turn = turn
		end
		site.holder, site.lease = me, lend
		leave()
		return 1, 0
	end
	if turn == 0 then -- it does not want to wait
		return 0, 0
	end
	if not place then
		place = #queue + 1
		queue[place] = {name = me}
	end
	local again = site.turn + (place - 1) * turn
	if place <= 2 then
		again = math.min(again, turn / 2) -- those ahead may give the site back early
	end
	again = math.max(again, MIN_AGAIN)
	queue[place].alive = again + PATIENCE
	return 0, again
end

local held, again = 0, 0
if me ~= '' then
	held, again = decide()
end
local words = {string.format('%.0f %s %.0f %.0f %.0f %.0f', now, site.holder, site.lease, site.turn, site.next, site.pause)}
local last = math.max(site.lease, site.next, site.pause)
for _, w in ipairs(queue) do
	words[#words + 1] = string.format('%s %.0f', w.name, w.alive)
	last = math.max(last, w.alive)
end
if me ~= '' or site.pause > 0 and ARGV[8] ~= '0' then
	redis.call('SET', KEYS[1], table.concat(words, ' '), 'PX', math.ceil((last + MEMORY) / 1000))
end

local others, before = 0, 0
local function count(name)
	if name ~= me and name ~= '-' and name ~= SOMEBODY then
		others = others + 1
		if name < me then
			before = before + 1
		end
	end
end
count(site.holder)
for _, w in ipairs(queue) do
	count(w.name)
end
return {held, math.ceil(site.next), math.ceil(site.pause), math.ceil(again), others, before, now}
