// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The name of a kernel from its address, for error messages: looked up in the symbol table of the
// program or library it lies in, which also knows functions that the dynamic linker does not.
#pragma once
#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rung::virtual_gpu {

/// The symbol at `offset` from where the file is loaded, or "".
inline std::string symbol_in(const char* file, std::uintptr_t offset) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream) return "";
  std::vector<char> bytes(static_cast<std::size_t>(stream.tellg()));
  stream.seekg(0);
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const auto at = [&](std::size_t position) { return bytes.data() + position; };
  if (bytes.size() < sizeof(ElfW(Ehdr))) return "";
  ElfW(Ehdr) header;
  __builtin_memcpy(&header, at(0), sizeof header);
  if (std::string_view(bytes.data(), 4) != "\177ELF") return "";
  std::vector<ElfW(Shdr)> sections(header.e_shnum);
  const std::size_t table_bytes = sections.size() * sizeof(ElfW(Shdr));
  if (header.e_shoff + table_bytes > bytes.size()) return "";
  __builtin_memcpy(sections.data(), at(header.e_shoff), table_bytes);
  for (const auto& section : sections) {
    if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) continue;
    const auto& names = sections[section.sh_link];
    for (std::size_t i = 0; i + sizeof(ElfW(Sym)) <= section.sh_size; i += sizeof(ElfW(Sym))) {
      ElfW(Sym) symbol;
      __builtin_memcpy(&symbol, at(section.sh_offset + i), sizeof symbol);
      if (symbol.st_value == offset && (symbol.st_info & 15) == STT_FUNC)
        return at(names.sh_offset + symbol.st_name);
    }
  }
  return "";
}

inline std::string look_up_name(const void* kernel) {
  Dl_info info = {};
  if (dladdr(kernel, &info) == 0) return "(unknown)";
  std::string symbol = info.dli_sname != nullptr && info.dli_saddr == kernel ? info.dli_sname : "";
  const auto address = reinterpret_cast<std::uintptr_t>(kernel);
  const auto base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  if (symbol.empty()) symbol = symbol_in(info.dli_fname, address - base);
  if (symbol.empty()) symbol = symbol_in("/proc/self/exe", address - base);
  if (symbol.empty()) symbol = symbol_in("/proc/self/exe", address);  // not position independent
  if (symbol.empty()) return "(unknown)";
  int status = 0;
  char* readable = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 ? readable : symbol;
  std::free(readable);
  // "void sum<float>(rung::global<float>)": the parameters say nothing that the launch does not.
  if (name.ends_with(')')) {
    int depth = 0;
    std::size_t i = name.size();
    do {
      --i;
      depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
    } while (depth != 0 && i > 0);
    name.resize(i);
  }
  return name.starts_with("void ") ? name.substr(5) : name;
}

inline std::string kernel_name(const void* kernel) {
  static thread_local std::unordered_map<const void*, std::string> names;
  std::string& name = names[kernel];
  if (name.empty()) name = look_up_name(kernel);
  return name;
}

}  // namespace rung::virtual_gpu
