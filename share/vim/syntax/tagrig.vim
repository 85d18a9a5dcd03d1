" SPDX-License-Identifier: GPL-2.0-or-later
"
" Scenario files of tagrig (*.rig), see tagrig-rig(5).
"
" To use it, put this folder (share/vim) into 'runtimepath', or copy what is in
" it to ~/.vim.  Any editor can do with what it says: a line begins with a
" keyword; the rest is words, except for what is taken whole (title, kernel,
" and the commands of guest and start).

if exists("b:current_syntax")
  finish
endif

" The head.
syntax match tagrigHead /^\s*\(title\|fixed\|broken\|mac\|switch\|iommu\|kernel\|var\|table\)\>/
" The steps.
syntax match tagrigStep /^\s*\(test\|guest\|start\|peer\|send\|connect\|replay\|fault\|link\|expect\|instead\|when\|for\|end\)\>/ nextgroup=tagrigOptions
syntax match tagrigOptions /\[[^]]*\]/ contained contains=tagrigTime,tagrigNumber

" What an expectation is about, and what it demands.
syntax keyword tagrigKind counter job dmesg never alive panic then badtag
syntax keyword tagrigWord csum ipcsum count within exit ready tag ports up down conduit
syntax keyword tagrigValue good bad pseudo zero tail off none any unknown
syntax keyword tagrigProtocol arp icmp icmp6 ip4 ip6 sctp tcp udp udplite untagged fragment
syntax keyword tagrigField src dst sport dport len frame padding vlan pcp vlans type proto ethertype

syntax match tagrigNumber /\<\(0x\x\+\|\d\+\(\.\.\d\+\(\/\d\+\)\?\)\?\)\>/
syntax match tagrigTime /\<\d\+\(ms\|s\|m\)\>/
syntax match tagrigVariable /\$\w\+/
syntax region tagrigString start=/"/ end=/"/ oneline
syntax match tagrigComment /\(^\|\s\)#.*$/

highlight default link tagrigHead PreProc
highlight default link tagrigStep Statement
highlight default link tagrigOptions Special
highlight default link tagrigKind Keyword
highlight default link tagrigWord Type
highlight default link tagrigValue Constant
highlight default link tagrigProtocol Identifier
highlight default link tagrigField Identifier
highlight default link tagrigNumber Number
highlight default link tagrigTime Number
highlight default link tagrigVariable Identifier
highlight default link tagrigString String
highlight default link tagrigComment Comment

let b:current_syntax = "tagrig"
